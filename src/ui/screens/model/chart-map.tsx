// Map below the chart: all data of the model, with the range of the chart as its window.
import { nameOf } from "../../lib/model-state.ts";
import { type Range, toParams } from "../../lib/range.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { currentRange } from "../../state/chart/chart-range.ts";
import { readOverview } from "../../state/chart/overview.ts";
import { texts } from "../../state/preferences.ts";
import { setParams } from "../../state/route.ts";
import { RangeMap } from "./range-map.tsx";

/** Seconds of the map at least. */
const BACK = 30 * 86_400;

type MapProps = Pick<ModelTabProps, "model" | "series">;

/** Read once per visit, and empty where it cannot be read: the chart says why. */
export function ChartMap({ model, series }: MapProps) {
  const { value, problem } = useAnswer(`${nameOf(model)}/${series}`, (signal) =>
    readOverview(model, BACK, signal, series),
  );
  if (problem) return null;
  if (!value) return <div class="map" aria-hidden="true" />;
  const onRange = (range: Range) => setParams({ at: undefined, ...toParams(range) });
  return <RangeMap data={value} range={currentRange()} label={texts.value.mapLabel} onRange={onRange} />;
}
