// InfluxQL statements: one per feature, bounds in ns, names quoted, intervals aligned on the epoch.
import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery } from "../../core/series/query.ts";
import type { Pushdown } from "./pushdown.ts";
import { quoteName, quoteText } from "./quote.ts";

/** Measurement and retention policy; the database is a parameter of the request. */
export interface Source {
  readonly measurement: string;
  readonly retentionPolicy: string | undefined;
}

/** Rows of one statement: a row per interval, of each combination of the values of `groupBy`. */
interface Intervals {
  readonly source: Source;
  readonly range: Range;
  readonly intervalMs: number;
  readonly groupBy: readonly string[];
}

/**
 * `select <call> from <source> where <range and tags> group by time(<n>ms)`. Empty intervals stay empty: without groups
 * as rows without a value, which InfluxDB computes faster, and with groups as no rows.
 */
export function selectAggregate(
  feature: FeatureQuery,
  { call }: Pushdown,
  { source, range, intervalMs, groupBy }: Intervals,
): string {
  const field = quoteName(feature.field);
  const column = call.replace("$n", () => `${field}::float`).replace("$any", () => `${field}::field`);
  const bounds = selectBounds(toNanoseconds(range.fromAt), toNanoseconds(range.toAt));
  return `select ${column} from ${nameSource(findSource(feature, source))} where ${bounds}${matchTags(feature)} group by time(${intervalMs}ms)${selectGroups(groupBy)}`;
}

function selectGroups(groupBy: readonly string[]): string {
  if (groupBy.length === 0) return "";
  return `${groupBy.map((tag) => `, ${quoteName(tag)}`).join("")} fill(none)`;
}

/** Bounds in ns. */
export interface Page {
  readonly from: bigint;
  readonly to: bigint;
  readonly limit: number;
  readonly offset: number;
  /** Selects the tags of each number too, which identify its series. */
  readonly withTags: boolean;
}

/** The numbers of a field in order of time, all series together: `limit` of them after the first `offset`. */
export function selectPoints(feature: FeatureQuery, source: Source, page: Page): string {
  const bounds = selectBounds(page.from, page.to);
  const tags = page.withTags ? ", *::tag" : "";
  return `select ${quoteName(feature.field)}::float${tags} from ${nameSource(findSource(feature, source))} where ${bounds}${matchTags(feature)} order by time limit ${page.limit} offset ${page.offset}`;
}

function selectBounds(from: bigint, to: bigint): string {
  return `time >= ${from} and time < ${to}`;
}

function findSource({ measurement }: FeatureQuery, source: Source): Source {
  return measurement === undefined ? source : { ...source, measurement };
}

/** The FROM clause. */
export function nameSource({ measurement, retentionPolicy }: Source): string {
  const name = quoteName(measurement);
  return retentionPolicy ? `${quoteName(retentionPolicy)}.${name}` : name;
}

/** Integers and booleans may have been written as a field of that name: both match. */
const fieldLike = /^(?:true|false|0|-?[1-9]\d{0,14})$/;

function matchTags({ tags }: FeatureQuery): string {
  return tags
    .map(({ tag, value }) => {
      const name = quoteName(tag);
      const asTag = `${name}::tag = ${quoteText(value)}`;
      return fieldLike.test(value) ? ` and (${asTag} or ${name}::field = ${value})` : ` and ${asTag}`;
    })
    .join("");
}

/** Milliseconds as nanoseconds, exact. */
export function toNanoseconds(ms: number): bigint {
  return BigInt(Math.floor(ms)) * 1_000_000n;
}
