// Grid reads from Prometheus: expressions evaluated at the end of each interval, in slices of the range.
import { sliceRange } from "../../core/series/columns.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { createYielder } from "../../runtime/steps.ts";
import { findSlot, type Pushed, readThrough } from "../shared/pushdown.ts";
import { fillTerms, type Terms } from "../shared/query.ts";
import type { Yielder } from "../shared/samples.ts";
import type { Series } from "./answer.ts";
import { fillSelector, findPushdown } from "./pushdown.ts";
import { streamSamples } from "./raw.ts";
import { selectSeries } from "./selector.ts";
import type { Reader, Store } from "./store.ts";

/** Prometheus refuses more than 11 000 steps. */
const STEPS_PER_QUERY = 10_000;
const MAX_CONCURRENT_QUERIES = 4;

/** The PromQL text for a slice of the range; its value at the end of an interval is the value of the interval. */
type Expression = (slice: Range, lengthMs: number) => string;

/** What a bucket knows of its server. */
export interface Source {
  readonly store: Store;
  /** ms to subtract from a range so that it holds one interval: some servers include its first instant, some do not. */
  findEdge(signal: AbortSignal): Promise<0 | 1>;
}

/** Reads the grid. */
export function readGrid({ store, findEdge }: Source, query: ReadQuery, signal: AbortSignal): Promise<Grid> {
  const reader = { store, signal, yieldNow: createYielder(signal) };
  return readThrough(
    {
      findPushdown: findExpression,
      readPushed: async (whole, pushed) =>
        readExpressions(
          reader,
          { query: whole, lengthMs: whole.intervalMs - (await findEdge(signal)) },
          pushed,
        ),
      streamSamples: (raw) => streamSamples(reader, raw),
    },
    query,
    signal,
  );
}

function findExpression(feature: FeatureQuery): Expression | undefined {
  const { query, metric } = feature;
  if (query !== undefined) return (slice, lengthMs) => fillTerms(query, toTerms(slice, lengthMs));
  const pushdown = findPushdown(metric);
  if (pushdown === undefined) return undefined;
  return (_, lengthMs) => fillSelector(pushdown, selectSeries(feature), lengthMs);
}

/** A duration, and instants as seconds since the epoch, as `@` takes them. */
function toTerms({ fromAt, toAt }: Range, lengthMs: number): Terms {
  return { interval: `${lengthMs}ms`, from: String(fromAt / 1000), to: String(toAt / 1000) };
}

async function readExpressions(
  { store, signal, yieldNow }: Reader & { readonly yieldNow: Yielder },
  { query, lengthMs }: { readonly query: ReadQuery; readonly lengthMs: number },
  pushed: readonly Pushed<Expression>[],
): Promise<void> {
  const { intervalMs } = query;
  for (const slice of sliceRange(query.range, STEPS_PER_QUERY * intervalMs)) {
    // The last instant of the first and of the last interval.
    const steps = { firstAt: slice.fromAt + intervalMs - 1, lastAt: slice.toAt - 1, stepMs: intervalMs };
    for (let from = 0; from < pushed.length; from += MAX_CONCURRENT_QUERIES) {
      const some = pushed.slice(from, from + MAX_CONCURRENT_QUERIES);
      await Promise.all(
        some.map(async (one) => {
          const series = await store.queryRange(one.pushdown(slice, lengthMs), steps, signal);
          placeSamples(store, { query, series }, one);
        }),
      );
      await yieldNow();
    }
  }
}

/** Places samples by their time; their number carries no information. */
function placeSamples(
  { client }: Store,
  { query, series }: { readonly query: ReadQuery; readonly series: readonly Series[] },
  { feature, columnOf }: Pushed<Expression>,
): void {
  const column = columnOf(NO_GROUP)!;
  if (series.length > 1)
    throw client.refuse(
      "bucket_rejected",
      `the query of ${feature.name} answers ${series.length} series; make them one, as in sum(...)`,
    );
  const [{ times, values } = { times: [], values: [] }] = series;
  for (let i = 0; i < times.length; i++) {
    const slot = findSlot(client, query, times[i]! + 1 - query.intervalMs);
    if (Number.isFinite(values[i])) column[slot] = values[i]!;
  }
}
