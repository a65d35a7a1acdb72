// Grid reads from Prometheus: expressions evaluated at the end of each interval, in slices of the range.
import { sliceRange } from "../../core/series/columns.ts";
import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery, GroupedQuery } from "../../core/series/query.ts";
import { createYielder } from "../../runtime/steps.ts";
import { findSlot, type GridSource, intervalsPerAnswer, type Pushed } from "../shared/pushdown.ts";
import { fillTerms, type Terms } from "../shared/query.ts";
import type { Yielder } from "../shared/samples.ts";
import { findGroup, type Series } from "./answer.ts";
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

/** Opens a read; by group, the query of a feature answers a series per group. */
export function openSource(
  { store, findEdge }: Source,
  { intervalMs, groupBy }: GroupedQuery,
  signal: AbortSignal,
): GridSource<Expression> {
  const reader = { store, signal, yieldNow: createYielder(signal) };
  return {
    findPushdown: (feature) => findExpression(feature, groupBy),
    async readPushed(query, pushed) {
      const lengthMs = intervalMs - (await findEdge(signal));
      await readExpressions(reader, { query, lengthMs }, pushed);
    },
    streamSamples: (raw) => streamSamples(reader, raw),
  };
}

function findExpression(feature: FeatureQuery, groupBy: readonly string[]): Expression | undefined {
  const { query, metric } = feature;
  if (query !== undefined) return (slice, lengthMs) => fillTerms(query, toTerms(slice, lengthMs));
  const pushdown = findPushdown(metric);
  if (pushdown === undefined) return undefined;
  const selection = { selector: selectSeries(feature), groupBy };
  return (_, lengthMs) => fillSelector(pushdown, selection, lengthMs);
}

/** A duration, and instants as seconds since the epoch, as `@` takes them. */
function toTerms({ fromAt, toAt }: Range, lengthMs: number): Terms {
  return { interval: `${lengthMs}ms`, from: String(fromAt / 1000), to: String(toAt / 1000) };
}

async function readExpressions(
  { store, signal, yieldNow }: Reader & { readonly yieldNow: Yielder },
  { query, lengthMs }: { readonly query: GroupedQuery; readonly lengthMs: number },
  pushed: readonly Pushed<Expression>[],
): Promise<void> {
  const { intervalMs } = query;
  const perSlice = intervalsPerAnswer(query, STEPS_PER_QUERY);
  for (const slice of sliceRange(query.range, perSlice * intervalMs)) {
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
  { query, series }: { readonly query: GroupedQuery; readonly series: readonly Series[] },
  { feature, columnOf }: Pushed<Expression>,
): void {
  const groups = new Set(series.map((one) => findGroup(one, query.groupBy)));
  if (groups.size < series.length)
    throw client.refuse("bucket_rejected", explainSeries(query, feature, series));
  for (const one of series) {
    let column: Float64Array | undefined;
    for (const [i, value] of one.values.entries()) {
      const slot = findSlot(client, query, one.times[i]! + 1 - query.intervalMs);
      if (!Number.isFinite(value)) continue;
      column ??= columnOf(findGroup(one, query.groupBy));
      // Beyond the limit of groups.
      if (!column) break;
      column[slot] = value;
    }
  }
}

function explainSeries({ groupBy }: GroupedQuery, { name }: FeatureQuery, series: readonly Series[]): string {
  const by = groupBy.join(", ");
  if (groupBy.length === 0)
    return `the query of ${name} answers ${series.length} series; make them one, as in sum(...)`;
  return `the query of ${name} answers several series for the same ${by}; make them one, as in sum by (${by}) (...)`;
}
