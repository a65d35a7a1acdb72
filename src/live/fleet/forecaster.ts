// Watched forecasts of the series of a fleet: made one at a time beside the loop, which follows them when it evaluates.
import { TorusError } from "../../core/errors.ts";
import { type ForecastWatch, watchesOf } from "../../core/model/watch-forecast.ts";
import { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import { isForecastDue } from "../conditions/forecast.ts";
import { type ForecastDeps, runForecasts, type WatchedForecasts } from "../conditions/run-forecasts.ts";
import type { Follower, Task } from "../task.ts";
import type { FittedSeries, FleetSeries, LiveFleet } from "./live-fleet.ts";
import { nameOf, SeriesQueue } from "./series-queue.ts";
import { type Turn, takeTurns } from "./turns.ts";

/** Series requested per minute, see `takeTurns`. */
const PER_MINUTE = 64;

/** A series, and the evaluation after which its forecast is due. */
interface Due {
  readonly series: FleetSeries;
  readonly fit: FittedSeries;
  readonly task: Task;
}

export class FleetForecaster implements Follower {
  readonly #queue = new SeriesQueue();
  readonly #deps: ForecastDeps;

  constructor(deps: Omit<ForecastDeps, "forecasting">) {
    // Of its own: a series that found that of single models busy would lose its turn until the next evaluation.
    this.#deps = { ...deps, forecasting: new KeyedLimiter(1) };
  }

  follow(fleet: LiveFleet, task: Task): void {
    const watches = watchesOf(task.effective.settings);
    if (watches.length === 0) return;
    const due: Turn<{ readonly series: FleetSeries; readonly fit: FittedSeries }>[] = [];
    for (const series of fleet.series.values()) {
      const fit = fleet.fits.get(series.key);
      const before = forecastsOf(fleet, series);
      const dueWatches = watches.filter((watch) => isForecastDue(watch, before[watch.key], task.nowAt));
      if (!fit || dueWatches.length === 0 || this.#queue.has(nameOf(task, series))) continue;
      due.push({ series: { series, fit }, lastAt: lastOf(dueWatches, before) });
    }
    const { intervalMs: everyMs } = task.schedule;
    for (const { series, fit } of takeTurns(due, { perMinute: PER_MINUTE, everyMs }))
      this.#queue.add(nameOf(task, series), (signal) => this.#forecast(fleet, { series, fit, task }, signal));
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  /** Never rejects: a failure is part of the forecasts. */
  async #forecast(fleet: LiveFleet, { series, fit, task }: Due, signal: AbortSignal): Promise<void> {
    const { effective, window, nowAt, row } = task;
    const { settings, intervalMs } = effective;
    const { key, tags } = series;
    const before = forecastsOf(fleet, series);
    const about = { settings, version: fit.makeModel(), series: tags, intervalMs };
    const run = { ...about, fromAt: window.range.toAt, before, nowAt };
    try {
      fleet.forecasts.set(key, await runForecasts(this.#deps, run, signal));
    } catch (error) {
      if (!(error instanceof TorusError)) this.#deps.onError(error, row.model);
    }
  }
}

function forecastsOf({ forecasts }: LiveFleet, { key, state }: FleetSeries): WatchedForecasts {
  return forecasts.get(key) ?? state.forecasts ?? {};
}

/** When the oldest forecast of some watches was made; undefined where one has none. */
function lastOf(watches: readonly ForecastWatch[], made: WatchedForecasts): number | undefined {
  const oldest = Math.min(...watches.map(({ key }) => made[key]?.madeAt ?? Number.NEGATIVE_INFINITY));
  return oldest === Number.NEGATIVE_INFINITY ? undefined : oldest;
}
