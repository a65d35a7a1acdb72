// Watched forecasts of the series of a fleet: made one at a time beside the loop, which follows them when it evaluates.
import { TorusError } from "../../core/errors.ts";
import { watchesOf } from "../../core/model/watch-forecast.ts";
import { isForecastDue } from "../conditions/forecast.ts";
import { type ForecastDeps, runForecasts } from "../conditions/run-forecasts.ts";
import type { Follower, Task } from "../task.ts";
import type { FittedSeries, FleetSeries, LiveFleet } from "./live-fleet.ts";
import { SeriesQueue } from "./series-queue.ts";

/** Series requested by one evaluation: the others come with the next ones. */
const MAX_PER_EVALUATION = 64;

/** A series, and the evaluation after which its forecast is due. */
interface Due {
  readonly series: FleetSeries;
  readonly fit: FittedSeries;
  readonly task: Task;
}

export class FleetForecaster implements Follower {
  readonly #queue = new SeriesQueue();

  constructor(private readonly deps: ForecastDeps) {}

  follow(fleet: LiveFleet, task: Task): void {
    const watches = watchesOf(task.effective.settings);
    if (watches.length === 0) return;
    let requested = 0;
    for (const series of fleet.series.values()) {
      if (requested >= MAX_PER_EVALUATION) return;
      const { key } = series;
      const name = `${task.row.model} ${key}`;
      const fit = fleet.fits.get(key);
      const before = fleet.forecasts.get(key) ?? series.state.forecasts ?? {};
      const isDue = watches.some((watch) => isForecastDue(watch, before[watch.key], task.nowAt));
      if (!fit || !isDue || this.#queue.has(name)) continue;
      requested++;
      this.#queue.add(name, (signal) => this.#forecast(fleet, { series, fit, task }, signal));
    }
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  /** Never rejects: a failure is part of the forecasts. */
  async #forecast(fleet: LiveFleet, { series, fit, task }: Due, signal: AbortSignal): Promise<void> {
    const { effective, window, nowAt, row } = task;
    const { settings, intervalMs } = effective;
    const { key, tags, state } = series;
    const before = fleet.forecasts.get(key) ?? state.forecasts ?? {};
    const about = { settings, version: fit.makeModel(), series: tags, intervalMs };
    const run = { ...about, fromAt: window.range.toAt, before, nowAt };
    try {
      fleet.forecasts.set(key, await runForecasts(this.deps, run, signal));
    } catch (error) {
      if (!(error instanceof TorusError)) this.deps.onError(error, row.model);
    }
  }
}
