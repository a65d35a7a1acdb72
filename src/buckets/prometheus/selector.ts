// What a feature means in PromQL: a selector of series, its name and matchers escaped.
import { invalid } from "../../core/errors.ts";
import type { NamePattern } from "../../core/input/name-pattern.ts";
import type { FeatureQuery } from "../../core/series/query.ts";

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * `{__name__="m_f",tag="value"}`: the name stands among the matchers, where any text may stand.
 * @throws TorusError `invalid` for a tag that PromQL has no way to name
 */
export function selectSeries({ field, measurement, tags }: FeatureQuery): string {
  const matchers = tags.map(({ tag, value }) => `${requireLabel(tag)}=${quote(value)}`);
  return `{${[`__name__=${quote(nameMetric(field, measurement))}`, ...matchers].join(",")}}`;
}

/**
 * Name of a field's metric, with its measurement in front as other programs join them. What was observed beside a
 * prediction is saved as `@<feature>`, which is no name here: it becomes `observed_<feature>`.
 */
export function nameMetric(field: string, measurement: string | undefined): string {
  const name = field.replace(/^@/, "observed_");
  return measurement ? `${measurement}_${name}` : name;
}

/** Metrics to choose from; without any of them, all. */
export interface MetricScope {
  readonly measurement?: string | undefined;
  readonly field?: string | undefined;
  readonly search?: NamePattern | undefined;
}

/**
 * A selector of the metrics, and of label values that match; undefined where it would select everything.
 * @throws TorusError `invalid` for a tag that PromQL has no way to name
 */
export function matchMetrics(
  { measurement, field, search }: MetricScope,
  labels: readonly (readonly [tag: string, pattern: NamePattern])[] = [],
): string | undefined {
  const matchers: string[] = [];
  if (field !== undefined) matchers.push(`__name__=${quote(nameMetric(field, measurement))}`);
  else if (measurement !== undefined) matchers.push(`__name__=~${quote(`${escapeRegex(measurement)}_.+`)}`);
  if (search) matchers.push(`__name__=~${quote(`(?is:${search.regex})`)}`);
  // Prometheus wants one matcher that no empty text fits.
  for (const [tag, { regex }] of labels)
    matchers.push(`${requireLabel(tag)}!=""`, `${tag}=~${quote(`(?is:${regex})`)}`);
  if (matchers.length === 0) return undefined;
  return `{${[...matchers, '__name__!=""'].join(",")}}`;
}

/** Series that carry the label. @throws as `matchMetrics` */
export function matchAny(tag: string): string {
  return `{${requireLabel(tag)}!=""}`;
}

/** The field of a metric whose measurement is known. */
export function stripMeasurement(metric: string, measurement: string | null): string {
  return measurement === null ? metric : metric.slice(measurement.length + 1);
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** @throws TorusError `invalid` where the text cannot be the name of a label */
export function requireLabel(tag: string): string {
  if (labelName.test(tag)) return tag;
  throw invalid(
    "",
    `Prometheus has no label ${JSON.stringify(tag.slice(0, 64))}: letters, digits and _, not beginning with a digit`,
  );
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
