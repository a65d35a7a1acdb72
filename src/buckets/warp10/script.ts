// WarpScript that is sent: texts and numbers only, each text percent-encoded, so that it stays a text whatever it holds.

import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery } from "../../core/series/query.ts";
import { percentEncode } from "../../net/percent-encoding.ts";

/** A text as WarpScript reads it: what is percent-encoded is decoded after the script is split into words. */
export function quote(text: string): string {
  return `'${percentEncode(text)}'`;
}

/** Whose series, and how they are named. */
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

/** Fetches the series of a feature in a range; times in µs. `=` asks for the very name and not for a pattern. */
export function fetchSeries(
  { field, measurement, tags }: FeatureQuery,
  { token, prefix }: Source,
  { fromAt, toAt }: Range,
): string {
  const labels = tags.map(({ tag, value }) => `${quote(tag)} ${quote(`=${value}`)}`).join(" ");
  const name = quote(`=${nameClass(prefix, measurement, field)}`);
  // The span ends with its last µs, which counts, and so does the first one of as many.
  return `[ ${quote(token)} ${name} { ${labels} } ${micros(toAt) - 1n} ${micros(toAt - fromAt)} ] FETCH`;
}

/** Classes under the prefix, or all of them, as a pattern that is no name. */
export function matchClasses(prefix: string | undefined): string {
  // A backslash before anything but a letter or a digit takes its meaning away.
  const literal = prefix ? `${prefix}.`.replace(/[^\p{L}\p{N}]/gu, "\\$&") : "";
  return `~(?s)${literal}.*`;
}

/** Fetches the newest point of every series under the prefix. */
export function fetchNewest({ token, prefix }: Source): string {
  return `[ ${quote(token)} ${quote(matchClasses(prefix))} { } MAXLONG -1 ] FETCH`;
}

/**
 * Fetches, and reduces each series by each bucketizer. A bucket is named after its last µs, so that of the interval
 * that begins at `t` is `t + interval - 1 µs`.
 */
export function bucketize(
  fetched: string,
  { bucketizers, range, intervalMs }: { bucketizers: readonly string[]; range: Range; intervalMs: number },
): string {
  const span = `${micros(range.toAt) - 1n} ${micros(intervalMs)} ${Math.round((range.toAt - range.fromAt) / intervalMs)}`;
  const parts = bucketizers.map((name) => `[ $series bucketizer.${name} ${span} ] BUCKETIZE`);
  return `${fetched} 'series' STORE [ ${parts.join(" ")} ]`;
}

/** Fetches, and answers the points as they are, in a list of one, which tells no series from no answer. */
export function keepSeries(fetched: string): string {
  return `${fetched} 'series' STORE [ $series ]`;
}

/** Milliseconds as µs, exact. */
export function micros(ms: number): bigint {
  return BigInt(Math.floor(ms)) * 1000n;
}
