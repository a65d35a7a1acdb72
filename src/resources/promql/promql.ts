// Prometheus's HTTP API: queries of PromQL, and the series they may select, over local buckets and models.
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import type { Range } from "../../core/series/grid.ts";
import { PromqlError } from "../../promql/errors.ts";
import { Budget } from "../../promql/evaluate/budget.ts";
import { keyOf, type Labels, labelName, sortByLabels } from "../../promql/labels.ts";
import { describeExpression } from "../../promql/language/describe.ts";
import { formatExpression } from "../../promql/language/format.ts";
import { type Matcher, matchesAll } from "../../promql/language/matcher.ts";
import {
  type QueryDeps,
  type QueryResult,
  queryInstant,
  queryRange,
  type Select,
} from "../../promql/query.ts";
import type { Clock } from "../../runtime/clock.ts";
import { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import { BucketSeries } from "./bucket-series.ts";
import { collectMetadata } from "./metadata.ts";
import { ModelSeries, type ModelSeriesDeps } from "./model-series.ts";
import { asNamed } from "./names.ts";
import { OpenAnswers, type Pieces } from "./open-answers.ts";
import {
  bytesOfLabels,
  bytesOfResult,
  bytesOfText,
  renderData,
  renderLabelSets,
  renderResult,
  renderTexts,
} from "./render.ts";
import {
  checkRuleType,
  readInstant,
  readLimit,
  readMatches,
  readQuery,
  readSpan,
  readSteps,
  readTimeout,
} from "./request.ts";
import { type SeriesSource, type SourceFailures, selectSeries } from "./source.ts";

/** Queries at a time, so that dashboards leave room for live detection. */
const RUNNING = 2;
/** Queries that may run or wait, and answers that are being read; beyond, requests are refused. */
const MAX_OPEN = 100;
const DEADLINE_MS = 60_000;
const LOOKBACK_MS = 300_000;
/** Version of Prometheus whose rules the evaluation follows; Grafana chooses requests by it. */
export const LANGUAGE_VERSION = "2.42.0";

/** An answer before it is read. */
interface Made {
  readonly pieces: Generator<string>;
  /** Of its JSON, about. */
  readonly bytes: number;
}

export class Promql {
  readonly #limiter = new KeyedLimiter(RUNNING);
  readonly #sources: readonly SeriesSource[];
  readonly #answers: OpenAnswers;
  #open = 0;

  constructor(private readonly deps: ModelSeriesDeps & { readonly clock: Clock }) {
    this.#answers = new OpenAnswers(deps.clock);
    this.#sources = [new BucketSeries(deps), new ModelSeries(deps)];
  }

  /** Evaluates at an instant. @throws TorusError `invalid`, `bucket_*`, `overloaded`, `deadline`, `canceled` */
  query(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const expression = readQuery(params);
      const at = readInstant(params, "time") ?? this.deps.clock.now();
      const failures: SourceFailures = new Map();
      const deps = this.#queryDeps(params, failures, bounded);
      return madeOf(await queryInstant(expression, at, deps), failures, bounded);
    });
  }

  /** Evaluates at the steps of a range. @throws TorusError as `query` */
  queryRange(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const steps = readSteps(params);
      const expression = readQuery(params);
      const failures: SourceFailures = new Map();
      const deps = this.#queryDeps(params, failures, bounded);
      return madeOf(await queryRange(expression, steps, deps), failures, bounded);
    });
  }

  /** Label sets of the series that match. @throws TorusError as `query` */
  series(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const matches = readMatches(params);
      if (matches.length === 0) throw new PromqlError("bad_data", "no match[] parameter provided");
      const found = new Map<string, Labels>();
      const limit = readLimit(params);
      const budget = new Budget({}, bounded);
      await this.#visitLabels(params, { matches, signal: bounded }, (labels) => {
        const key = keyOf(labels);
        if (found.has(key)) return;
        budget.take("series");
        budget.take("answer", bytesOfLabels(labels));
        found.set(key, labels);
      });
      const sets = sortByLabels([...found.values()].map((labels) => ({ labels })));
      return {
        pieces: renderLabelSets(sets.slice(0, limit).map(({ labels }) => labels)),
        bytes: budget.taken("answer"),
      };
    });
  }

  /** Names of labels. @throws TorusError as `query` */
  labels(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#collect(params, signal, (labels, add) => labels.keys().forEach(add));
  }

  /** Values of a label. @throws TorusError as `query` */
  labelValues(name: string, params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    const label = labelName(name);
    return this.#collect(params, signal, (labels, add) => {
      const value = labels.get(label);
      if (value !== undefined) add(value);
    });
  }

  /** Type, help and unit of metrics, as far as they are known. @throws TorusError as `query` */
  metadata(params: URLSearchParams, signal: AbortSignal): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const budget = new Budget({}, bounded);
      const found = await collectMetadata(this.deps, { params, budget, signal: bounded });
      return { pieces: renderData(found), bytes: budget.taken("answer") };
    });
  }

  /** None, as none are stored; the query is checked. @throws TorusError `invalid` */
  exemplars(params: URLSearchParams): Generator<string> {
    return translated(() => {
      readQuery(params);
      const [from, to] = [readInstant(params, "start"), readInstant(params, "end")];
      if (from !== undefined && to !== undefined && to < from)
        throw new PromqlError("bad_data", "end timestamp must not be before start timestamp");
      return renderData([]);
    });
  }

  /** None, as there are none; their type is checked. @throws TorusError `invalid` */
  rules(params: URLSearchParams): Generator<string> {
    return translated(() => {
      checkRuleType(params);
      return renderData({ groups: [] });
    });
  }

  /** The query in the spelling of Prometheus. @throws TorusError `invalid` */
  formatQuery(params: URLSearchParams): Generator<string> {
    return translated(() => renderData(formatExpression(readQuery(params))));
  }

  /** The tree of the query. @throws TorusError `invalid` */
  parseQuery(params: URLSearchParams): Generator<string> {
    return translated(() => renderData(describeExpression(readQuery(params))));
  }

  #queryDeps(params: URLSearchParams, failures: SourceFailures, signal: AbortSignal): QueryDeps {
    const select: Select = ({ matchers, fromAt, toAt }, budget, signal) => {
      const range = { fromAt, toAt: toAt + 1 };
      return selectSeries(this.#sources, {
        matchers: matchers.map(asNamed),
        range,
        budget,
        failures,
        signal,
      });
    };
    const lookbackMs = Math.max(0, readSpan(params, "lookback_delta") ?? 0) || LOOKBACK_MS;
    return { select, lookbackMs, signal };
  }

  #collect(
    params: URLSearchParams,
    signal: AbortSignal,
    read: (labels: Labels, add: (text: string) => void) => void,
  ): Promise<Pieces> {
    return this.#run(params, signal, async (bounded) => {
      const found = new Set<string>();
      const budget = new Budget({}, bounded);
      const matches = readMatches(params);
      const limit = readLimit(params);
      const all = matches.length > 0 ? matches : [[]];
      await this.#visitLabels(params, { matches: all, signal: bounded }, (labels) =>
        read(labels, (text) => {
          if (found.has(text)) return;
          budget.take("answer", bytesOfText(text));
          found.add(text);
        }),
      );
      return { pieces: renderTexts([...found].sort().slice(0, limit)), bytes: budget.taken("answer") };
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
    for (const matchers of matches.map((each) => each.map(asNamed)))
      for (const source of this.#sources)
        await source.visit({ matchers, signal }, async ({ series }) => {
          for (const { labels, hasSamples } of series)
            if (matchesAll(matchers, labels) && hasSamples(range)) onLabels(labels);
        });
  }

  /**
   * Some queries at a time, each within the deadline, or the shorter `timeout` of the request. An answer counts as
   * open until it was read; as none takes longer than its own deadline, slow readers hold others up for that long only.
   */
  async #run(
    params: URLSearchParams,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Made>,
  ): Promise<Pieces> {
    if (this.#open >= MAX_OPEN)
      throw new TorusError("overloaded", `more than ${MAX_OPEN} queries are open; try again`);
    const timeoutMs = translated(() => readTimeout(params));
    this.#open++;
    const limit = AbortSignal.timeout(Math.max(1, Math.min(timeoutMs || DEADLINE_MS, DEADLINE_MS)));
    const bounded = AbortSignal.any([signal, limit]);
    const close = () => {
      this.#open--;
    };
    try {
      const { pieces, bytes } = await this.#limiter.run("query", () => work(bounded), bounded);
      return this.#answers.open(pieces, bytes, close);
    } catch (error) {
      close();
      throwIfAborted(bounded);
      throw translate(error);
    }
  }
}

/** @throws PromqlError `execution` for an answer that is too large; TorusError `canceled` or `deadline` */
async function madeOf(result: QueryResult, failures: SourceFailures, signal: AbortSignal): Promise<Made> {
  const budget = new Budget({}, signal);
  for (const bytes of bytesOfResult(result)) {
    budget.take("answer", bytes);
    await budget.pace();
  }
  return { pieces: renderResult(result, failures.values()), bytes: budget.taken("answer") };
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
