// Grid reads from PostgreSQL: aggregates per interval in slices of the range, raw rows by a cursor.
import { sliceRange } from "../../core/series/columns.ts";
import { countIntervals, type Range } from "../../core/series/grid.ts";
import { groupKeyOf, NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/steps.ts";
import * as shared from "../shared/pushdown.ts";
import { assertNoQueries } from "../shared/query.ts";
import type { Samples, Yielder } from "../shared/samples.ts";
import { seriesKeyOfRow } from "../shared/series-by.ts";
import { findPushdown, whereFinite, wherePoint } from "./pushdown.ts";
import type { Row, Session } from "./session.ts";
import { Parameters, quoteName, type Source } from "./source.ts";

const INTERVALS_PER_QUERY = 50_000;
const ROWS_PER_FETCH = 10_000;

/** What to read from. */
interface Place {
  readonly session: Session;
  readonly source: Source;
}

interface Reader extends Place {
  readonly yieldNow: Yielder;
}

/** A feature with its SQL expression. */
type Pushed = shared.Pushed<string>;

/**
 * Opens a read within one transaction. A column that does not exist, or holds no numbers, has no values.
 * @throws TorusError `not_supported` for a feature query
 */
export function openGrid(
  { session, source }: Place,
  whole: GroupedQuery,
  signal: AbortSignal,
): shared.GridSource<string> {
  assertNoQueries(whole);
  const reader = { session, source, yieldNow: createYielder(signal) };
  return {
    findPushdown: (feature) => findExpression(source, feature),
    async readPushed(query, pushed) {
      for (const group of groupByRows(pushed)) await readPushed(reader, query, group);
    },
    streamSamples: (raw) => streamSamples(reader, raw),
  };
}

function findExpression({ columns }: Source, { field, metric }: FeatureQuery): string | undefined {
  const kind = columns.get(field)?.kind;
  if (kind === undefined || (kind !== "number" && requireMetric(metric).counts === "numbers"))
    return undefined;
  return findPushdown(metric, `source.${quoteName(field)}`, kind);
}

/** Columns of the same rows are aggregated together. */
function groupByRows(pushed: readonly Pushed[]): Pushed[][] {
  const keyOf = ({ feature: { measurement, tags } }: Pushed) => JSON.stringify([measurement ?? null, tags]);
  return [...Map.groupBy(pushed, keyOf).values()];
}

async function readPushed(reader: Reader, query: GroupedQuery, pushed: readonly Pushed[]): Promise<void> {
  const { session, source, yieldNow } = reader;
  const { groupBy, intervalMs } = query;
  const perSlice = shared.intervalsPerAnswer(query, INTERVALS_PER_QUERY);
  for (const slice of sliceRange(query.range, perSlice * intervalMs)) {
    const parameters = new Parameters();
    const startAt = parameters.add(String(query.range.fromAt), "text::numeric");
    const stepMs = parameters.add(String(intervalMs), "text::numeric");
    const where = source.whereFeature(pushed[0]!.feature, parameters);
    if (where === undefined) return;
    const values = pushed.map(({ pushdown }) => `(${pushdown})::float8`);
    const groups = source.selectGroups(groupBy);
    const slot = `floor((${source.timeMs} - ${startAt}) / ${stepMs})::float8`;
    const statement = `SELECT ${[slot, ...groups, ...values].join(", ")}
      FROM ${source.from} WHERE ${source.whereTime(slice, parameters)}${where}
      ${groups.length > 0 ? limitGroups(reader, { query, slice, groups }, pushed) : "GROUP BY 1"}`;
    placeRows(await session.run(statement, parameters.values), groupBy.length, pushed);
    await yieldNow();
  }
}

/** Rows with a point of some feature, of the first groups: one more than wanted reveals that there are more. */
function limitGroups(
  { source }: Reader,
  {
    query,
    slice,
    groups,
  }: { readonly query: GroupedQuery; readonly slice: Range; readonly groups: string[] },
  pushed: readonly Pushed[],
): string {
  const points = pushed.map(({ feature: { field } }) =>
    wherePoint(`source.${quoteName(field)}`, source.columns.get(field)!.kind),
  );
  const places = groups.map((_, i) => i + 2).join(", ");
  // The order of bytes, in which the limit cuts what `Groups` would drop.
  const order = groups.map((group) => `${group} COLLATE "C"`).join(", ");
  const limit = (query.maxSeries + 1) * countIntervals(slice, query.intervalMs);
  return `AND (${points.join(" OR ")}) GROUP BY 1, ${places} ORDER BY ${order} LIMIT ${limit}`;
}

/** @param width number of tags that follow the index of the interval */
function placeRows(rows: readonly Row[], width: number, pushed: readonly Pushed[]): void {
  for (const [index, ...found] of rows) {
    const group = width === 0 ? NO_GROUP : groupKeyOf(found.slice(0, width));
    for (const [i, { columnOf }] of pushed.entries()) {
      const column = columnOf(group);
      const value = found[width + i];
      if (column && typeof value === "number" && Number.isFinite(value)) column[index as number] = value;
    }
  }
}

/** The numbers of a column by a cursor, in order of time. */
async function* streamSamples(
  { session, source }: Reader,
  { feature, range, withSeries, groupBy }: shared.RawQuery,
): AsyncGenerator<Samples> {
  if (source.columns.get(feature.field)?.kind !== "number") return;
  const parameters = new Parameters();
  const where = source.whereFeature(feature, parameters);
  if (where === undefined) return;
  const value = `source.${quoteName(feature.field)}::float8`;
  const names = [...source.selectGroups(groupBy), ...(withSeries ? source.selectSeries() : [])];
  const selected = [`(${source.timeMs})::float8`, value, ...names];
  await session.run(
    `DECLARE points NO SCROLL CURSOR FOR SELECT ${selected.join(", ")}
     FROM ${source.from} WHERE ${source.whereTime(range, parameters)}${where} AND ${whereFinite(value)}
     ORDER BY ${source.timeColumn}`,
    parameters.values,
  );
  for (;;) {
    const rows = await session.run(`FETCH ${ROWS_PER_FETCH} FROM points`);
    yield toSamples(rows, { withSeries, groupBy });
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await session.run("CLOSE points");
}

/** Rows of time, value, the values of the tags of groups, and those of the series columns. */
function toSamples(
  rows: readonly Row[],
  { withSeries, groupBy: { length } }: Pick<shared.RawQuery, "withSeries" | "groupBy">,
): Samples {
  return {
    times: Float64Array.from(rows, ([at]) => at as number),
    values: Float64Array.from(rows, ([, number]) => number as number),
    ...(length > 0 && { groups: rows.map((row) => groupKeyOf(row.slice(2, 2 + length))) }),
    ...(withSeries && { series: rows.map((row) => seriesKeyOfRow(row.slice(2 + length))) }),
  };
}
