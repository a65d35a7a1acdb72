// Training range on the map of all data, and how much of it the training leaves out.
import type { Signal } from "@preact/signals";
import { parseDate } from "../../../core/time/time.ts";
import { formatAge } from "../../lib/format.ts";
import { nameOf } from "../../lib/model-state.ts";
import { secondsLeftOut } from "../../lib/overview.ts";
import type { Range } from "../../lib/range.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { readOverview } from "../../state/chart/overview.ts";
import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";
import { RangeMap } from "./range-map.tsx";

/** Seconds of the map at least. */
const BACK = 365 * 86_400;

interface MapProps extends Pick<ModelTabProps, "model"> {
  /** Dates as they are typed. */
  readonly range: Signal<{ readonly from: string; readonly to: string }>;
}

export function TrainingMap({ model, range }: MapProps) {
  const { value } = useAnswer(nameOf(model), (signal) => readOverview(model, BACK, signal));
  const { leftOut, mapLabel } = texts.value.versionsPage;
  const chosen = readDates(range.value);
  if (!value) return <div class="map" aria-hidden="true" />;
  const seconds = chosen ? secondsLeftOut([...value.episodes, ...value.labels], chosen) : 0;
  return (
    <>
      <RangeMap
        data={value}
        range={chosen ?? value}
        label={mapLabel}
        onRange={({ from, to }) => (range.value = { from: dateOf(from), to: dateOf(to) })}
      />
      {seconds > 0 && <p class="quiet">{leftOut(formatAge(seconds))}</p>}
    </>
  );
}

/** @returns undefined while one of them is no date */
function readDates({ from, to }: { readonly from: string; readonly to: string }): Range | undefined {
  const now = serverNow() * 1000;
  try {
    const range = { from: parseDate(from, now) / 1000, to: parseDate(to, now) / 1000 };
    return range.from < range.to ? range : undefined;
  } catch {
    return undefined;
  }
}

/** `2026-01-31T12:00Z`. */
function dateOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;
}
