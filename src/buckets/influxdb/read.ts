// Grid reads from InfluxDB: aggregates in slices of the range, raw points in pages, both of bounded size.
import { sliceRange } from "../../core/series/columns.ts";
import type { Grid } from "../../core/series/grid.ts";
import { NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { ReadQuery } from "../../core/series/query.ts";
import { createYielder } from "../../runtime/steps.ts";
import * as shared from "../shared/pushdown.ts";
import type { Yielder } from "../shared/samples.ts";
import { type Rows, readRows } from "./answer.ts";
import { findPushdown, type Pushdown } from "./pushdown.ts";
import { type Source, selectAggregate } from "./statement.ts";
import type { Store } from "./store.ts";
import { type Reader, ROWS_PER_STATEMENT, streamSamples } from "./stream.ts";

/** Rows of one answer, all statements together: about 1 MB of JSON. */
const ROWS_PER_REQUEST = 20_000;

type Pushed = shared.Pushed<Pushdown>;

/** Reads the grid. @param source the place of features that name no measurement */
export function readGrid(
  store: Store,
  { query, source }: { readonly query: ReadQuery; readonly source: Source },
  signal: AbortSignal,
): Promise<Grid> {
  const reader = { store, source, signal };
  const yieldNow = createYielder(signal);
  return shared.readThrough(
    {
      findPushdown: ({ metric }) => findPushdown(metric),
      readPushed: (whole, pushed) => readPushed({ ...reader, yieldNow }, whole, pushed),
      streamSamples: (raw) => streamSamples(reader, raw, query.intervalMs),
    },
    query,
    signal,
  );
}

async function readPushed(
  { store, source, signal, yieldNow }: Reader & { readonly yieldNow: Yielder },
  query: ReadQuery,
  pushed: readonly Pushed[],
): Promise<void> {
  const { intervalMs } = query;
  const perSlice = Math.max(1, Math.min(ROWS_PER_STATEMENT, Math.floor(ROWS_PER_REQUEST / pushed.length)));
  for (const range of sliceRange(query.range, perSlice * intervalMs)) {
    const statements = pushed.map(({ feature, pushdown }) =>
      selectAggregate(feature, pushdown, { source, range, intervalMs }),
    );
    const answer = await store.queryAll(statements, signal);
    const results = readRows(store.client, answer, pushed.length);
    for (const [index, rows] of results.entries()) placeRows(store, { query, rows }, pushed[index]!);
    await yieldNow();
  }
}

/** Places rows by their time; their number and order carry no information. */
function placeRows(
  { client }: Store,
  { query, rows }: { readonly query: ReadQuery; readonly rows: Rows },
  { pushdown, columnOf }: Pushed,
): void {
  const column = columnOf(NO_GROUP)!;
  for (const [micros, value] of rows) {
    const slot = shared.findSlot(client, query, micros / 1000);
    if (value !== null) column[slot] = pushdown.convert(value);
  }
}
