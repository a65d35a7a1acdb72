// Error budgets: of all live models and their series as they were judged last, and of one model as it is now.
import type { ErrorBudgetView, ModelBudgetView } from "../api/server/budget.ts";
import { type Objective, objectiveOf } from "../core/budget/budget.ts";
import type { Exhaustion } from "../core/budget/exhaustion.ts";
import type { BudgetSummary } from "../core/budget/state.ts";
import { reasonsOf } from "../core/budget/words.ts";
import { invalid, TorusError, throwIfAborted } from "../core/errors.ts";
import type { Listed } from "../core/input/listed.ts";
import { parseListing, showViews } from "../core/input/listing.ts";
import { isAutoInterval } from "../core/model/bucket-interval.ts";
import { describeSeries, parseTags } from "../core/model/series-text.ts";
import { floorTo } from "../core/series/grid.ts";
import { DAY_MS } from "../core/time/time.ts";
import { budgetFeatures, judgeBudgets } from "../live/budget/judge.ts";
import { storedSettings } from "../live/stored-settings.ts";
import type { OpenBucket } from "../points/features.ts";
import type { Clock } from "../runtime/clock.ts";
import { KeyedLimiter } from "../runtime/keyed-limiter.ts";
import { type BudgetRow, countBudgets, listBudgets } from "../store/budgets.ts";
import type { Store } from "../store/db/open.ts";
import { loadModel, readModels } from "../store/models.ts";
import type { SubjectQuery } from "../store/subjects.ts";
import { findModels } from "./deliveries.ts";
import { parseSeriesParam } from "./models/params.ts";
import { given, type Params } from "./shared/range.ts";

/** Entries without pages. */
const MAX_LISTED = 1000;
/** Age from which a state tells nothing: it is renewed every ten minutes, of large fleets every three hours. */
const MAX_AGE_MS = DAY_MS;
/** Reads of windows at the same time, and requests that wait for them. */
const READS = 2;
const MAX_WAITING = 32;
const DEADLINE_MS = 30_000;

interface BudgetDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly openBucket: OpenBucket;
}

/** What a view says of a budget, beside its state. */
interface Named extends Pick<BudgetRow, "model" | "series" | "feature" | "madeAt"> {
  readonly objective: Objective;
}

export class Budgets {
  readonly #limiter = new KeyedLimiter(READS);
  #waiting = 0;

  constructor(private readonly deps: BudgetDeps) {}

  /**
   * Budgets of live models and their series, those with the least left first; unknown ones come last. Filtered by
   * `tags` and `model`, in pages.
   * @throws TorusError `invalid`, `not_found` (model)
   */
  async list(params: Params = {}): Promise<Listed> {
    const { store } = this.deps;
    const listing = parseListing({ ...params, sort: undefined });
    const query = await parseQuery(params, this.deps);
    const rows = await listBudgets(store, query, listing.page ?? { from: 0, to: MAX_LISTED });
    const models = await readModels(store, [...new Set(rows.map(({ model }) => model))]);
    const views = rows.flatMap((row) => {
      const model = models.get(row.model);
      const features = model ? storedSettings(model).settings.features : [];
      const feature = budgetFeatures(features).find(({ name }) => name === row.feature);
      return feature ? [viewBudget({ ...row, objective: objectiveOf(feature.budget) }, row.state)] : [];
    });
    return showViews(views, listing, { total: await countBudgets(store, query) });
  }

  /**
   * The budgets of a model as they are now, by day; live or not.
   * @param params `series` of a fleet
   * @throws TorusError `not_found`, `invalid`, `not_supported` without a budget, `overloaded`, `bucket_*`, `deadline`,
   * `canceled`
   */
  async ofModel(name: string, params: Params, signal: AbortSignal): Promise<ModelBudgetView[]> {
    const { store, clock, openBucket } = this.deps;
    const row = await loadModel(store, name);
    const { settings, intervalMs } = storedSettings(row);
    const { series } = parseSeriesParam(settings, params);
    if (budgetFeatures(settings.features).length === 0)
      throw new TorusError("not_supported", `model ${name} has no error budget: add a feature with budget`);
    if (settings.group_by && !series)
      throw invalid("series", "is required: the model has group_by, as in host:a");
    if (isAutoInterval(row.settings) && !row.version)
      throw invalid("bucket_interval", "is auto and not known before the first training: train the model");
    const toAt = floorTo(clock.now(), intervalMs);
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const judged = await this.#queue(
      () => judgeBudgets(openBucket, { settings, intervalMs, series, toAt }, bounded),
      bounded,
    );
    // Series need no training, so that none is known to be wrong before it is read.
    if (series && judged.every(({ state }) => state.missing === 1))
      throw new TorusError(
        "not_found",
        `series ${describeSeries(series)} of model ${name} has no values in the window: check its tags`,
      );
    return judged.map(({ state, ...named }) => ({
      ...viewBudget({ ...named, model: name, series: series ?? null }, state),
      days: state.days.map(({ day, consumed, ...sums }) => ({
        date: dateOf(day),
        ...sums,
        consumed: rounded(consumed),
      })),
    }));
  }

  async #queue<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      throw new TorusError("overloaded", `more than ${MAX_WAITING} error budgets are being read; try again`);
    this.#waiting++;
    try {
      return await this.#limiter.run("", read, signal);
    } catch (error) {
      throwIfAborted(signal);
      throw error;
    } finally {
      this.#waiting--;
    }
  }
}

/** Digits of shares and rates: more than counts can tell. */
const rounded = (value: number) => Number(value.toPrecision(6));
const roundedOrNull = (value: number | undefined) => (value === undefined ? null : rounded(value));

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

async function parseQuery(params: Params, { store, clock }: BudgetDeps): Promise<SubjectQuery> {
  const nowAt = clock.now();
  const tags = given(params, "tags");
  const models = await findModels(store, params);
  return {
    madeAt: nowAt - MAX_AGE_MS,
    ...(tags !== undefined && { series: parseTags(String(tags), "tags") }),
    ...(models && { models }),
  };
}

function viewBudget(
  { model, series, feature, objective, madeAt }: Named,
  state: BudgetSummary,
): ErrorBudgetView {
  const { remaining, bad, total, missing, impossible, rates, burn = null, exhaustion } = state;
  return {
    ...{ model, ...(series && { series }), feature },
    ...{ objective: objective.objective, window: objective.windowMs / 1000 },
    ...{ remaining: roundedOrNull(remaining), bad, total },
    rates: {
      "1h": roundedOrNull(rates["1h"]),
      "6h": roundedOrNull(rates["6h"]),
      "1d": roundedOrNull(rates["1d"]),
      "3d": roundedOrNull(rates["3d"]),
    },
    burn,
    exhaustion: viewExhaustion(exhaustion),
    ...{ missing: rounded(missing), impossible },
    reasons: reasonsOf(state, objective),
    made: madeAt / 1000,
  };
}

function viewExhaustion(exhaustion: Exhaustion): ErrorBudgetView["exhaustion"] {
  const { outlook } = exhaustion;
  if (outlook === "exhausted" || outlook === "not_enough_data") return { outlook };
  const { at, earliestAt, latestAt } = exhaustion;
  return {
    outlook,
    ...(at !== undefined && { date: at / 1000, latest: latestAt === undefined ? null : latestAt / 1000 }),
    ...(earliestAt !== undefined && { earliest: earliestAt / 1000 }),
  };
}
