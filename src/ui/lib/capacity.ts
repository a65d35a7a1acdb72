// Limits ahead as the dashboard shows them: found by a text, placed on an axis of time, linked to forecasts; pure.
import type { CapacityView } from "../../api/server/capacity.ts";
import { describeSeries, formatSeries } from "../../core/model/series-text.ts";
import { writeConstraint } from "./constraint.ts";
import { buildRoute } from "./route.ts";

type Limit = Pick<CapacityView, "model" | "series" | "feature">;

/** Seconds. */
const DAY = 86_400;

/** Limits whose model, series or feature holds the text. */
export function findLimits<T extends Limit>(limits: readonly T[], text: string): readonly T[] {
  const wanted = text.trim().toLowerCase();
  return limits.filter((limit) => subjectOf(limit).toLowerCase().includes(wanted));
}

/** `disk host=a used`; names one limit. */
export function subjectOf({ model, series, feature }: Limit): string {
  return [model, ...(series ? [describeSeries(series)] : []), feature].join(" ");
}

/** The forecast of the model or series over the time until the limit. @param now seconds since the epoch */
export function addressOfLimit(
  { model, series, feature, date, limit: { type, value } }: Limit & Pick<CapacityView, "date" | "limit">,
  now: number,
): string {
  const path = series ? ["series", formatSeries(series), "forecast"] : ["forecast"];
  const days = date === undefined ? 0 : Math.ceil((date - now) / DAY) + 1;
  return buildRoute(["models", model, ...path], {
    constraint: writeConstraint({ feature, type, threshold: value }),
    to: days > 0 ? `${days}d` : undefined,
  });
}

/** Places on an axis from now to its end, 0 to 100. */
export interface Lead {
  readonly date: number;
  readonly earliest: number;
  readonly latest: number;
}

type Dates = Pick<CapacityView, "date" | "earliest" | "latest">;

/** The last instant of the dates and their bands, seconds since the epoch; undefined without any. */
export function endOfDates(limits: readonly Dates[]): number | undefined {
  const ends = limits.flatMap(({ date, latest }) => latest ?? date ?? []);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** @returns undefined of a limit without a date @param latest absent: beyond the end of the axis */
export function placeDates(
  { date, earliest = date, latest }: Dates,
  now: number,
  end: number,
): Lead | undefined {
  if (date === undefined || earliest === undefined) return undefined;
  const place = (at: number) => Math.min(100, Math.max(0, (100 * (at - now)) / Math.max(1, end - now)));
  return { date: place(date), earliest: place(earliest), latest: place(latest ?? end) };
}
