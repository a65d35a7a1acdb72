// Forecasts of models for PromQL: made when a query reaches beyond now, and kept a minute, as dashboards repeat queries.
import type { Bucket } from "../../buckets/kind.ts";
import { TorusError } from "../../core/errors.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { bucketOf } from "../../core/model/model.ts";
import { formatSeries } from "../../core/model/series-text.ts";
import { countPresent, type Range } from "../../core/series/grid.ts";
import { loadTrained } from "../../jobs/handlers/fleet/load-trained.ts";
import type { StoredSettings } from "../../live/stored-settings.ts";
import type { Compute, Forecast, ModelKind } from "../../models/kind.ts";
import { readFeatures } from "../../points/features.ts";
import { executionError } from "../../promql/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import { TtlCache } from "../../runtime/ttl-cache.ts";
import type { Store } from "../../store/db/open.ts";

/** Furthest forecast, in intervals. */
const MAX_HORIZON = 10_000;
/** Forecasts at a time, so that dashboards leave the workers to others. */
const RUNNING = 2;
/** Forecasts that are kept for a repeated look, and how long. */
const CACHED = { max: 100, ms: 60_000 } as const;
/** Confidence of the band, which is not shown. */
const LEVEL = 0.8;

export interface ForecastDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly kind: ModelKind;
  readonly compute: Compute;
  readonly openBucket: (name: string) => Promise<Bucket>;
}

interface ForecastRequest {
  readonly model: string;
  readonly generation: number;
  /** Name of the active version; absent: not trained. */
  readonly version?: string;
  readonly stored: StoredSettings;
  readonly tags?: SeriesTags;
  /** Of intervals, aligned; its start is about now. */
  readonly range: Range;
}

export class ModelForecasts {
  readonly #limiter = new KeyedLimiter(RUNNING);
  readonly #cache: TtlCache<Forecast["predicted"]>;

  constructor(private readonly deps: ForecastDeps) {
    this.#cache = new TtlCache(deps.clock, CACHED);
  }

  /**
   * Predicted values by feature, one per interval of the range; undefined where nothing can be predicted.
   * @throws PromqlError `execution` for a range that is too long; TorusError `bucket_*`, `canceled`, `deadline`
   */
  async predict(request: ForecastRequest, signal: AbortSignal): Promise<Forecast["predicted"] | undefined> {
    const { model, generation, version, tags, range } = request;
    if (version === undefined) return undefined;
    const subject = tags ? formatSeries(tags) : "";
    const key = [model, generation, version, range.fromAt, range.toAt, subject].join(" ");
    const make = () => this.#make({ ...request, version }, signal);
    return this.#cache.getOrMake(key, () => this.#limiter.run("forecast", make, signal));
  }

  async #make(
    { model, version: name, stored, tags, range }: ForecastRequest & { readonly version: string },
    signal: AbortSignal,
  ): Promise<Forecast["predicted"] | undefined> {
    const { store, kind, compute, openBucket } = this.deps;
    const { settings, intervalMs } = stored;
    const horizon = Math.round((range.toAt - range.fromAt) / intervalMs);
    if (horizon > MAX_HORIZON)
      throw executionError(
        `the forecast of model ${model} would have ${horizon} intervals, at most ${MAX_HORIZON} are made: choose an earlier end`,
      );
    try {
      const version = await loadTrained({ store, kind }, { model, version: name, series: tags });
      const before = {
        fromAt: range.fromAt - kind.forecastHistoryOf(version) * intervalMs,
        toAt: range.fromAt,
      };
      const bucket = bucketOf(settings) ?? "";
      const read = { features: settings.features, bucket, range: before, intervalMs, series: tags };
      const history = await readFeatures(openBucket, read, signal);
      if (!Object.values(history.columns).some((column) => countPresent(column) > 0)) return undefined;
      const request = { settings, history, horizon, level: LEVEL, levels: [] };
      return (await kind.forecast(version, request, { compute, signal, onProgress: () => {} })).predicted;
    } catch (error) {
      // A series that is not fitted yet, or a version that was removed meanwhile.
      if (error instanceof TorusError && ["no_data", "not_found", "not_trained"].includes(error.code))
        return undefined;
      throw error;
    }
  }
}
