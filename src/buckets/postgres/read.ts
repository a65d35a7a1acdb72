// Grid reads from PostgreSQL: aggregates per interval in slices of the range, raw rows by a cursor.
import { sliceRange } from "../../core/series/columns.ts";
import type { Grid } from "../../core/series/grid.ts";
import { NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/steps.ts";
import * as shared from "../shared/pushdown.ts";
import type { Samples, Yielder } from "../shared/samples.ts";
import { seriesKeyOfRow } from "../shared/series-by.ts";
import { findPushdown, whereFinite } from "./pushdown.ts";
import type { Row, Session } from "./session.ts";
import { Parameters, quoteName, type Source } from "./source.ts";

const INTERVALS_PER_QUERY = 50_000;
const ROWS_PER_FETCH = 10_000;

interface Reader {
  readonly session: Session;
  readonly source: Source;
  readonly yieldNow: Yielder;
}

/** A feature with its SQL expression. */
type Pushed = shared.Pushed<string>;

/** Reads the grid within one transaction. A column that does not exist, or holds no numbers, has no values. */
export function readGrid(
  { session, source }: Omit<Reader, "yieldNow">,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const reader = { session, source, yieldNow: createYielder(signal) };
  return shared.readThrough(
    {
      findPushdown: (feature) => findExpression(source, feature),
      async readPushed(whole, pushed) {
        for (const group of groupByRows(pushed)) await readPushed(reader, whole, group);
      },
      streamSamples: (raw) => streamSamples(reader, raw),
    },
    query,
    signal,
  );
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

async function readPushed(reader: Reader, query: ReadQuery, pushed: readonly Pushed[]): Promise<void> {
  const { session, source, yieldNow } = reader;
  for (const slice of sliceRange(query.range, INTERVALS_PER_QUERY * query.intervalMs)) {
    const parameters = new Parameters();
    const startAt = parameters.add(String(query.range.fromAt), "text::numeric");
    const intervalMs = parameters.add(String(query.intervalMs), "text::numeric");
    const where = source.whereFeature(pushed[0]!.feature, parameters);
    if (where === undefined) return;
    const values = pushed.map(({ pushdown }) => `(${pushdown})::float8`).join(", ");
    const statement = `SELECT floor((${source.timeMs} - ${startAt}) / ${intervalMs})::float8, ${values}
      FROM ${source.from} WHERE ${source.whereTime(slice, parameters)}${where} GROUP BY 1`;
    placeRows(await session.run(statement, parameters.values), pushed);
    await yieldNow();
  }
}

function placeRows(rows: readonly Row[], pushed: readonly Pushed[]): void {
  for (const [index, ...values] of rows) {
    for (const [i, { columnOf }] of pushed.entries()) {
      const column = columnOf(NO_GROUP)!;
      const value = values[i];
      if (typeof value === "number" && Number.isFinite(value)) column[index as number] = value;
    }
  }
}

/** The numbers of a column by a cursor, in order of time. */
async function* streamSamples(
  { session, source }: Reader,
  { feature, range, withSeries }: shared.RawQuery,
): AsyncGenerator<Samples> {
  if (source.columns.get(feature.field)?.kind !== "number") return;
  const parameters = new Parameters();
  const where = source.whereFeature(feature, parameters);
  if (where === undefined) return;
  const value = `source.${quoteName(feature.field)}::float8`;
  const selected = [`(${source.timeMs})::float8`, value, ...(withSeries ? source.selectSeries() : [])];
  await session.run(
    `DECLARE points NO SCROLL CURSOR FOR SELECT ${selected.join(", ")}
     FROM ${source.from} WHERE ${source.whereTime(range, parameters)}${where} AND ${whereFinite(value)}
     ORDER BY ${source.timeColumn}`,
    parameters.values,
  );
  for (;;) {
    const rows = await session.run(`FETCH ${ROWS_PER_FETCH} FROM points`);
    yield toSamples(rows, withSeries);
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await session.run("CLOSE points");
}

/** Rows of time, value and the values of the series columns. */
function toSamples(rows: readonly Row[], withSeries: boolean): Samples {
  return {
    times: Float64Array.from(rows, ([at]) => at as number),
    values: Float64Array.from(rows, ([, number]) => number as number),
    ...(withSeries && { series: rows.map((row) => seriesKeyOfRow(row.slice(2))) }),
  };
}
