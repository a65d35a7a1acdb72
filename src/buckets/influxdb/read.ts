// Grid reads from InfluxDB: aggregates in slices of the range, raw points in pages, both of bounded size.
import { sliceRange } from "../../core/series/columns.ts";
import type { GroupedQuery, ReadQuery } from "../../core/series/query.ts";
import { createYielder } from "../../runtime/steps.ts";
import * as shared from "../shared/pushdown.ts";
import { assertNoQueries } from "../shared/query.ts";
import type { Yielder } from "../shared/samples.ts";
import { type GroupRows, readRows } from "./answer.ts";
import { findPushdown, type Pushdown } from "./pushdown.ts";
import { type Source, selectAggregate } from "./statement.ts";
import type { Store } from "./store.ts";
import { type Reader, ROWS_PER_STATEMENT, streamSamples } from "./stream.ts";

/** Rows of one answer, all statements together: about 1 MB of JSON. */
const ROWS_PER_REQUEST = 20_000;

type Pushed = shared.Pushed<Pushdown>;

/** Opens a read. @param source of features that name no measurement @throws TorusError `not_supported` for a feature query */
export function openSource(
  store: Store,
  { query, source }: { readonly query: GroupedQuery; readonly source: Source },
  signal: AbortSignal,
): shared.GridSource<Pushdown> {
  assertNoQueries(query);
  const reader = { store, source, signal };
  const yieldNow = createYielder(signal);
  return {
    findPushdown: ({ metric }) => findPushdown(metric),
    readPushed: (own, pushed) => readPushed({ ...reader, yieldNow }, own, pushed),
    streamSamples: (raw) => streamSamples(reader, raw, query.intervalMs),
  };
}

async function readPushed(
  { store, source, signal, yieldNow }: Reader & { readonly yieldNow: Yielder },
  query: GroupedQuery,
  pushed: readonly Pushed[],
): Promise<void> {
  const { intervalMs, groupBy } = query;
  const perSlice = Math.min(ROWS_PER_STATEMENT, Math.floor(ROWS_PER_REQUEST / pushed.length));
  const perAnswer = Math.max(1, shared.intervalsPerAnswer(query, perSlice, pushed.length));
  for (const range of sliceRange(query.range, perAnswer * intervalMs)) {
    const statements = pushed.map(({ feature, pushdown }) =>
      selectAggregate(feature, pushdown, { source, range, intervalMs, groupBy }),
    );
    const answer = await store.queryAll(statements, signal);
    const results = readRows(store.client, answer, { count: pushed.length, groupBy });
    for (const [index, groups] of results.entries())
      for (const rows of groups) placeRows(store, { query, rows }, pushed[index]!);
    await yieldNow();
  }
}

/** Places rows by their time; their number and order carry no information. */
function placeRows(
  { client }: Store,
  { query, rows: { group, rows } }: { readonly query: ReadQuery; readonly rows: GroupRows },
  { pushdown, columnOf }: Pushed,
): void {
  let column: Float64Array | undefined;
  for (const [micros, value] of rows) {
    const slot = shared.findSlot(client, query, micros / 1000);
    if (value === null) continue;
    column ??= columnOf(group);
    // Beyond the limit of groups.
    if (!column) return;
    column[slot] = pushdown.convert(value);
  }
}
