// Prometheus's HTTP API: queries of PromQL, and the series they may select, over local buckets and models.
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import type { Range } from "../../core/series/grid.ts";
import { PromqlError } from "../../promql/errors.ts";
import { compareLabels, keyOf, type Labels } from "../../promql/labels.ts";
import { describeExpression } from "../../promql/language/describe.ts";
import { formatExpression } from "../../promql/language/format.ts";
import { type Matcher, matchesAll } from "../../promql/language/matcher.ts";
import { type QueryDeps, queryInstant, queryRange, type Select } from "../../promql/query.ts";
import { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import { BucketSeries } from "./bucket-series.ts";
import { ModelSeries, type ModelSeriesDeps, metricOf, modelMetrics } from "./model-series.ts";
import { renderData, renderLabelSets, renderResult } from "./render.ts";
import { readInstant, readLimit, readMatches, readQuery, readSpan, readSteps } from "./request.ts";
import { type SeriesSource, selectSeries } from "./source.ts";

export const promqlLimits = { series: 10_000, samples: 5_000_000, values: 10_000_000 } as const;
/** Queries at a time, so that dashboards leave room for live detection. */
const RUNNING = 2;
/** Queries that may run or wait; beyond, requests are refused. */
const MAX_OPEN = 100;
const DEADLINE_MS = 60_000;
const LOOKBACK_MS = 300_000;
/** Version of Prometheus whose rules the evaluation follows; Grafana chooses requests by it. */
export const LANGUAGE_VERSION = "2.42.0";

/** JSON in pieces. */
export type Pieces = Generator<string>;

export class Promql {
  readonly #limiter = new KeyedLimiter(RUNNING);
  readonly #sources: readonly SeriesSource[];
  #open = 0;

  constructor(private readonly deps: ModelSeriesDeps) {
    this.#sources = [new BucketSeries(deps), new ModelSeries(deps)];
  }

  /** Evaluates at an instant. @throws TorusError `invalid`, `bucket_*`, `overloaded`, `deadline`, `canceled` */
  query(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const expression = readQuery(params);
      const at = readInstant(params, "time") ?? this.deps.clock.now();
      return renderResult(await queryInstant(expression, at, this.#queryDeps(params, bounded)));
    });
  }

  /** Evaluates at the steps of a range. @throws TorusError as `query` */
  queryRange(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const steps = readSteps(params);
      const expression = readQuery(params);
      return renderResult(await queryRange(expression, steps, this.#queryDeps(params, bounded)));
    });
  }

  /** Label sets of the series that match. @throws TorusError as `query` */
  series(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const matches = readMatches(params);
      if (matches.length === 0) throw new PromqlError("bad_data", "no match[] parameter provided");
      const found = new Map<string, Labels>();
      const limit = readLimit(params);
      await this.#visitLabels(params, { matches, signal: bounded }, (labels) => {
        found.set(keyOf(labels), labels);
        if (found.size > promqlLimits.series)
          throw new PromqlError(
            "execution",
            `the selectors match more than ${promqlLimits.series} series: add labels to them`,
          );
      });
      return renderLabelSets([...found.values()].sort(compareLabels).slice(0, limit));
    });
  }

  /** Names of labels. @throws TorusError as `query` */
  labels(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#collect(params, signal, (labels, add) => labels.keys().forEach(add));
  }

  /** Values of a label. @throws TorusError as `query` */
  labelValues(name: string, params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#collect(params, signal, (labels, add) => {
      const value = labels.get(name);
      if (value !== undefined) add(value);
    });
  }

  /** Help of the metrics of models; of fields nothing is known. */
  metadata(params: URLSearchParams): Pieces {
    const known = Object.entries(modelMetrics).map(([column, help]) => [
      metricOf(column as keyof typeof modelMetrics),
      [{ type: "gauge", help, unit: "" }],
    ]);
    const metric = params.get("metric");
    return renderData(Object.fromEntries(known.filter(([name]) => !metric || name === metric)));
  }

  /** The query in the spelling of Prometheus. @throws TorusError `invalid` */
  formatQuery(params: URLSearchParams): Pieces {
    return translated(() => renderData(formatExpression(readQuery(params))));
  }

  /** The tree of the query. @throws TorusError `invalid` */
  parseQuery(params: URLSearchParams): Pieces {
    return translated(() => renderData(describeExpression(readQuery(params))));
  }

  #queryDeps(params: URLSearchParams, signal: AbortSignal): QueryDeps {
    const select: Select = ({ matchers, fromAt, toAt }, budget, signal) =>
      selectSeries(this.#sources, { matchers, range: { fromAt, toAt: toAt + 1 }, budget, signal });
    const lookbackMs = readSpan(params, "lookback_delta") || LOOKBACK_MS;
    return { select, limits: promqlLimits, lookbackMs, signal };
  }

  #collect(
    params: URLSearchParams,
    signal: AbortSignal,
    read: (labels: Labels, add: (text: string) => void) => void,
  ): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const found = new Set<string>();
      const matches = readMatches(params);
      const limit = readLimit(params);
      const all = matches.length > 0 ? matches : [[]];
      await this.#visitLabels(params, { matches: all, signal: bounded }, (labels) =>
        read(labels, (text) => found.add(text)),
      );
      return renderData([...found].sort().slice(0, limit));
    });
  }

  /** Series that match and have samples between `start` and `end`, where these are given. */
  async #visitLabels(
    params: URLSearchParams,
    { matches, signal }: { readonly matches: readonly (readonly Matcher[])[]; readonly signal: AbortSignal },
    onLabels: (labels: Labels) => void,
  ): Promise<void> {
    const range: Range = {
      fromAt: readInstant(params, "start") ?? Number.MIN_SAFE_INTEGER,
      toAt: (readInstant(params, "end") ?? Number.MAX_SAFE_INTEGER - 1) + 1,
    };
    for (const matchers of matches)
      for (const source of this.#sources)
        await source.visit({ matchers, signal }, async ({ labels, hasSamples }) => {
          if (matchesAll(matchers, labels) && hasSamples(range)) onLabels(labels);
        });
  }

  /** Some queries at a time, each within the deadline, or the shorter `timeout` of the request. */
  async #run<T>(
    params: URLSearchParams,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#open >= MAX_OPEN)
      throw new TorusError("overloaded", `more than ${MAX_OPEN} queries are open; try again`);
    const timeoutMs = translated(() => readSpan(params, "timeout"));
    this.#open++;
    const limit = AbortSignal.timeout(Math.max(1, Math.min(timeoutMs || DEADLINE_MS, DEADLINE_MS)));
    const bounded = AbortSignal.any([signal, limit]);
    try {
      return await this.#limiter.run("query", () => work(bounded), bounded);
    } catch (error) {
      throwIfAborted(bounded);
      throw translate(error);
    } finally {
      this.#open--;
    }
  }
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(error);
  }
}

/** An error of PromQL with its type, which the API names. */
function translate(error: unknown): unknown {
  if (!(error instanceof PromqlError)) return error;
  return new TorusError("invalid", error.message, { error_type: error.type });
}
