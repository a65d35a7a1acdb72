// Summary of the baselines for `state`: level and trend at the end of the training, and the calendar; pure.
import type { Baseline } from "./baseline.ts";
import type { Calendar } from "./calendar.ts";
import type { Trend } from "./trend.ts";

interface BaselineSummary extends Record<string, number | string> {
  /** Usual value at the end of the range; by feature where there are several. */
  readonly level: number | string;
  /** As in `0.7 a day`, `0.3 % a day` or `none`. */
  readonly trend: string;
  /** As in `weekends, holidays, last of the month` or `none`. */
  readonly calendar: string;
}

interface FeatureBaseline extends Baseline {
  readonly name: string;
  readonly ensemble?: { readonly linear: { readonly center: number } } | undefined;
  readonly standardisation: { readonly mean: number };
}

export function summariseBaselines(
  features: readonly FeatureBaseline[],
  { holidays }: { readonly holidays: boolean },
): BaselineSummary {
  const levels = features.map(levelOf);
  return {
    level:
      features.length === 1 ? levels[0]! : features.map(({ name }, i) => `${name}: ${levels[i]}`).join("; "),
    trend: byFeature(features, ({ trend }) => describeTrend(trend)),
    calendar: byFeature(features, ({ calendar }) => describeCalendar(calendar, holidays)),
  };
}

/** One text where all features agree. */
function byFeature(
  features: readonly FeatureBaseline[],
  describe: (feature: FeatureBaseline) => string,
): string {
  const texts = features.map(describe);
  const isSame = texts.every((text) => text === texts[0]);
  return isSame ? (texts[0] ?? "none") : features.map(({ name }, i) => `${name}: ${texts[i]}`).join("; ");
}

function levelOf({ trend, ensemble, standardisation }: FeatureBaseline): number {
  const center = ensemble?.linear.center ?? standardisation.mean;
  if (!trend) return round(center);
  return round(trend.kind === "additive" ? trend.center : Math.exp(trend.center));
}

function describeTrend(trend: Trend | undefined): string {
  if (!trend) return "none";
  if (trend.kind === "additive") return `${round(trend.slope)} a day`;
  return `${round(100 * Math.expm1(trend.slope))} % a day`;
}

function describeCalendar(calendar: Calendar | undefined, hasHolidays: boolean): string {
  if (!calendar) return "none";
  const parts = [
    { none: undefined, workday: "weekends", weekday: "days of the week" }[calendar.days],
    hasHolidays && calendar.days !== "none" && calendar.holidays === "weekend" && "holidays",
    calendar.monthStart && "first of the month",
    calendar.monthEnd && "last of the month",
  ];
  return parts.filter((part) => typeof part === "string").join(", ");
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
