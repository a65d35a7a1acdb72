// Map below the chart: all data of the model, with the range of the chart as its window.
import { nameOf } from "../../lib/model-state.ts";
import { type Range, toParams } from "../../lib/range.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { currentRange } from "../../state/chart-range.ts";
import { readOverview } from "../../state/overview.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import type { ChartData } from "../../state/series.ts";
import { RangeMap } from "./range-map.tsx";

/** Seconds of the map at least. */
const BACK = 30 * 86_400;

interface MapProps extends Pick<ModelTabProps, "model" | "series"> {
  readonly shown: ChartData | undefined;
}

/** Read once per visit, and empty where it cannot be read: the chart says why. */
export function ChartMap({ model, series, shown }: MapProps) {
  const { value } = useAnswer(`${nameOf(model)}/${series}`, (signal) =>
    readOverview(model, BACK, signal, series),
  );
  if (!value) return <div class="map" aria-hidden="true" />;
  const { params } = route.value;
  const onRange = (range: Range) => setParams({ at: undefined, ...toParams(range) });
  return (
    <RangeMap data={value} range={rangeOf(shown, params)} label={texts.value.mapLabel} onRange={onRange} />
  );
}

/** The range of the address; of one that names an anomaly alone, the one that is shown. */
function rangeOf(shown: ChartData | undefined, params: Readonly<Record<string, string>>): Range {
  const isOfAnomaly = params.at !== undefined && params.from === undefined && params.range === undefined;
  if (!isOfAnomaly || !shown) return currentRange();
  const { times, step } = shown;
  return { from: times[0] ?? 0, to: (times.at(-1) ?? 0) + step };
}
