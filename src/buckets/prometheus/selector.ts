// PromQL selectors of features and metrics, with names and values escaped.
import { invalid } from "../../core/errors.ts";
import type { NamePattern } from "../../core/input/name-pattern.ts";
import type { FeatureQuery } from "../../core/series/query.ts";

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * `{__name__="m_f",tag="value"}`: as a matcher the name may be any text.
 * @throws TorusError `invalid` for a tag that is not a valid label name
 */
export function selectSeries({ field, measurement, tags }: FeatureQuery): string {
  const matchers = tags.map(({ tag, value }) => `${requireLabel(tag)}=${quote(value)}`);
  return `{${[`__name__=${quote(nameMetric(field, measurement))}`, ...matchers].join(",")}}`;
}

/**
 * Name of a field's metric, prefixed by its measurement and `_`. The observed values of a saved prediction are fields
 * `@<feature>`, an invalid name here: they become `observed_<feature>`.
 */
export function nameMetric(field: string, measurement: string | undefined): string {
  const name = field.replace(/^@/, "observed_");
  return measurement ? `${measurement}_${name}` : name;
}

/** Filter of metrics; empty: all. */
export interface MetricScope {
  readonly measurement?: string | undefined;
  readonly field?: string | undefined;
  readonly search?: NamePattern | undefined;
}

/**
 * A selector of metrics and of label values; undefined where it would select everything.
 * @throws TorusError `invalid` for a tag that is not a valid label name
 */
export function matchMetrics(
  { measurement, field, search }: MetricScope,
  labels: readonly (readonly [tag: string, pattern: NamePattern])[] = [],
): string | undefined {
  const matchers: string[] = [];
  if (field !== undefined) matchers.push(`__name__=${quote(nameMetric(field, measurement))}`);
  else if (measurement !== undefined) matchers.push(`__name__=~${quote(`${escapeRegex(measurement)}_.+`)}`);
  if (search) matchers.push(`__name__=~${quote(`(?is:${search.regex})`)}`);
  // Prometheus requires a matcher that does not match the empty text.
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

/** @throws TorusError `invalid` where the text is not a valid label name */
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
