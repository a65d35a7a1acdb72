// Sentences about anomalies.
import type { AnomalyView } from "../../../api/anomaly.ts";
import { strongestOf } from "../../../core/anomaly/reports/strongest.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import { tellFeature } from "../../lib/anomalies/sentence.ts";
import { formatSpan } from "../../lib/format.ts";
import { numbers, texts } from "../../state/preferences.ts";

type Reports = Pick<AnomalyView, "peak"> & Partial<Pick<AnomalyView, "features">>;
type Subject = Reports & Pick<AnomalyView, "series" | "scope" | "share">;

/** Tags of an anomaly of a fleet that are named. */
const TOP_TAGS = 3;

/** `latency too high: 65.7, not 45.7`, of the feature with the highest score at the peak; within the band, what is odd instead. */
export function describeAnomaly(anomaly: Reports): string {
  const strongest = strongestOf(anomaly);
  if (!strongest) return "";
  const [name, report] = strongest;
  const { observed, predicted, lower, upper, unit } = report;
  const [expected, value] = numbers.value.together([predicted, observed], { scale: upper - lower, unit });
  const seen = observed === null ? texts.value.nothingObserved : value!;
  return tellFeature(name, report, { seen, expected: expected! }, texts.value);
}

/** `host=a: load too high: 93, not 10`; without anything known the model alone. */
export function describeWorst(worst: Subject & Pick<AnomalyView, "model">): string {
  return [describeSubject(worst), describeAnomaly(worst)].filter(Boolean).join(": ") || worst.model;
}

/** `host=a, cpu=0`; of many series of a fleet their share and the tags that deviate most; empty of one series. */
export function describeSubject(anomaly: Subject): string {
  return anomaly.series ? describeSeries(anomaly.series) : describeFleet(anomaly);
}

/** `62 % of all series, most of all rack=r1`; empty without the scope. */
export function describeFleet({ scope, share = 0, peak, features }: Subject): string {
  if (!scope) return "";
  const { ofSeries, mostOfAll } = texts.value.fleet;
  const tags = Object.values({ ...features, ...peak }).flatMap(({ top_tags = [] }) => top_tags);
  const names = new Set(
    tags.toSorted((a, b) => b.share - a.share).map(({ tag, value }) => `${tag}=${value}`),
  );
  const top = [...names].slice(0, TOP_TAGS).join(", ");
  return `${ofSeries((100 * share).toFixed(0))}${top && mostOfAll(top)}`;
}

export function describeLength({ start, end }: Pick<AnomalyView, "start" | "end">): string {
  const { lasted, ongoing } = texts.value;
  return end === null ? ongoing : lasted(formatSpan((end - start) * 1000));
}
