// Fits of series between trainings: new ones once they have enough points, young ones again whenever these double.
import { TorusError } from "../../core/errors.ts";
import { coldStartRange, pointsOfNext, startsUntrained } from "../../core/model/cold-start.ts";
import { bucketOf } from "../../core/model/model.ts";
import { alignRange, type Grid } from "../../core/series/grid.ts";
import type { Compute, ModelKind } from "../../models/kind.ts";
import { countMostObserved, trimToExtent } from "../../models/stats/extent.ts";
import { type OpenBucket, readFeatures } from "../../points/features.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { packCompact } from "../../store/fleets/packed-json.ts";
import { saveSeriesFit } from "../../store/fleets/version-series.ts";
import { confidenceNow } from "../learned.ts";
import type { Follower, Task } from "../task.ts";
import { taskOf } from "./assess-fleet.ts";
import { keepFit } from "./fleet-cache.ts";
import type { FleetSeries, LiveFleet } from "./live-fleet.ts";
import { nameOf, SeriesQueue } from "./series-queue.ts";
import { type Turn, takeTurns } from "./turns.ts";

/** Fits requested per minute, see `takeTurns`. */
const PER_MINUTE = 32;
/** Points of a series that could not be fitted grow by this factor before the next attempt. */
const GROWTH_AFTER_FAILURE = 1.2;

interface FitterDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly kind: ModelKind;
  readonly compute: Compute;
  readonly openBucket: OpenBucket;
  readonly onError: (error: unknown, model: string | null) => void;
}

/** A series, and the evaluation after which its fit is due. */
interface Due {
  readonly series: FleetSeries;
  readonly task: Task;
}

export class SeriesFitter implements Follower {
  readonly #queue = new SeriesQueue();
  /** Points at the last attempt, of those that failed. */
  readonly #failed = new Map<string, number>();

  constructor(private readonly deps: FitterDeps) {}

  follow(fleet: LiveFleet, task: Task): void {
    const due: Turn<FleetSeries>[] = [];
    for (const series of fleet.series.values()) {
      const name = nameOf(task, series);
      const hasGrown = pointsOf(series) >= GROWTH_AFTER_FAILURE * (this.#failed.get(name) ?? 0);
      if (this.#queue.has(name) || !hasGrown || !isDue(fleet, series, task)) continue;
      due.push({ series, lastAt: fleet.fits.get(series.key)?.fittedAt });
    }
    const { intervalMs: everyMs } = task.schedule;
    for (const series of takeTurns(due, { perMinute: PER_MINUTE, everyMs })) {
      const name = nameOf(task, series);
      this.#queue.add(name, async (signal) => {
        if (await this.#fit(fleet, { series, task }, signal)) this.#failed.delete(name);
        else this.#failed.set(name, pointsOf(series));
      });
    }
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  /** Never rejects: a series that cannot be fitted is tried again once it has more points. @returns whether it was */
  async #fit(fleet: LiveFleet, { series, task }: Due, signal: AbortSignal): Promise<boolean> {
    const { store, kind, compute, clock, onError } = this.deps;
    const { model } = task.row;
    const { version } = fleet;
    const { settings } = task.effective;
    try {
      const grid = await this.#readHistory(fleet, { series, task }, signal);
      if (!grid) return false;
      const context = { compute, signal, onProgress: () => {} };
      const { parameters } = await kind.fleet.fit(version, { settings, grid }, context);
      const points = countMostObserved(grid, settings.features);
      const { key, tags } = series;
      const at = clock.now();
      const fit = { model, version: version.name, key, tags, points, parameters, at };
      if (!(await saveSeriesFit(store, fit))) return false;
      const packed = packCompact(parameters);
      fleet.fits.set(key, keepFit(kind, version, { points, fittedAt: at, packed }));
      return true;
    } catch (error) {
      if (!(error instanceof TorusError)) onError(error, model);
      return false;
    }
  }

  async #readHistory(
    { version }: LiveFleet,
    { series: { tags }, task }: Due,
    signal: AbortSignal,
  ): Promise<Grid | undefined> {
    const { effective, window } = task;
    const { settings, intervalMs } = effective;
    const { features } = settings;
    const lengthMs = Math.max(version.toAt - version.fromAt, coldStartRange(intervalMs, features.length));
    const { toAt } = window.range;
    const range = alignRange({ fromAt: toAt - lengthMs, toAt }, intervalMs);
    const read = { features, bucket: bucketOf(settings) ?? "", range, intervalMs, series: tags };
    return trimToExtent(await readFeatures(this.deps.openBucket, read, signal), features);
  }
}

/** Whether a series has enough points for its first fit, or twice those of the last one while it is young. */
function isDue(fleet: LiveFleet, series: FleetSeries, task: Task): boolean {
  const fit = fleet.fits.get(series.key);
  if (!fit) return pointsOf(series) >= pointsOfNext(0);
  const { intervalMs, settings } = task.effective;
  const { version } = taskOf(task, series, fleet);
  // A fleet that started without a training is trained again as a whole.
  if (!version || startsUntrained(settings)) return false;
  if (confidenceNow(series.state.learned, { version, intervalMs }) === "good") return false;
  return pointsOf(series) >= pointsOfNext(fit.points);
}

/** Points that its fit has learned from, and since; without a fit, those seen. */
function pointsOf({ state: { learned, learning } }: FleetSeries): number {
  return learned?.points ?? learning?.points ?? 0;
}
