// WarpScript builder: texts are percent-encoded, so that none is parsed as code.
import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery } from "../../core/series/query.ts";
import { percentEncode } from "../../net/percent-encoding.ts";

/** A text literal: WarpScript decodes it after splitting the script into words. */
export function quote(text: string): string {
  return `'${percentEncode(text)}'`;
}

/** Read token and class prefix of a bucket. */
export interface Source {
  readonly token: string;
  readonly prefix: string | undefined;
}

/** Class of a field's series: prefix, measurement and field, joined by dots. */
export function nameClass(
  prefix: string | undefined,
  measurement: string | undefined,
  field: string,
): string {
  return [prefix, measurement, field].filter((part) => part).join(".");
}

/** Fetches the series of a feature in a range; times in µs. `=` matches the exact name instead of a pattern. */
export function fetchSeries(
  { field, measurement, tags }: FeatureQuery,
  { token, prefix }: Source,
  { fromAt, toAt }: Range,
): string {
  const labels = tags.map(({ tag, value }) => `${quote(tag)} ${quote(`=${value}`)}`).join(" ");
  const name = quote(`=${nameClass(prefix, measurement, field)}`);
  // A timespan includes its end, so it ends with the last µs of the range.
  return `[ ${quote(token)} ${name} { ${labels} } ${micros(toAt) - 1n} ${micros(toAt - fromAt)} ] FETCH`;
}

/** Pattern of the classes under the prefix, or of all classes. */
export function matchClasses(prefix: string | undefined): string {
  // A backslash escapes any character but letters and digits.
  const literal = prefix ? `${prefix}.`.replace(/[^\p{L}\p{N}]/gu, "\\$&") : "";
  return `~(?s)${literal}.*`;
}

/** Fetches the newest point of every series under the prefix. */
export function fetchNewest({ token, prefix }: Source): string {
  return `[ ${quote(token)} ${quote(matchClasses(prefix))} { } MAXLONG -1 ] FETCH`;
}

/**
 * Fetches and reduces each series by each bucketizer. The time of a bucket is its last µs: `t + interval - 1 µs` for the
 * interval that begins at `t`.
 */
export function bucketize(
  fetched: string,
  { bucketizers, range, intervalMs }: { bucketizers: readonly string[]; range: Range; intervalMs: number },
): string {
  const span = `${micros(range.toAt) - 1n} ${micros(intervalMs)} ${Math.round((range.toAt - range.fromAt) / intervalMs)}`;
  const parts = bucketizers.map((name) => `[ $series bucketizer.${name} ${span} ] BUCKETIZE`);
  return `${fetched} 'series' STORE [ ${parts.join(" ")} ]`;
}

/** Fetches raw points as a list of one, which distinguishes no series from no answer. */
export function keepSeries(fetched: string): string {
  return `${fetched} 'series' STORE [ $series ]`;
}

/** Milliseconds as µs, exact. */
export function micros(ms: number): bigint {
  return BigInt(Math.floor(ms)) * 1000n;
}
