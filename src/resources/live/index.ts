// Live detection: start, stop and views for the API; notifications from changed and deleted models and buckets.
import { startsUntrained } from "../../core/model/cold-start.ts";
import { nextAutoOffset } from "../../core/model/offset.ts";
import type { EpisodeNotice } from "../../live/episodes/episode-tracker.ts";
import type { LiveLoop } from "../../live/loop.ts";
import type { Output } from "../../live/output.ts";
import { freshState, stateOf } from "../../live/state.ts";
import { storedSettings } from "../../live/stored-settings.ts";
import type { Clock } from "../../runtime/clock.ts";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { listEvaluations } from "../../store/anomalies/evaluations.ts";
import type { Store } from "../../store/db/open.ts";
import {
  type Ending,
  type LiveRow,
  type LiveStart,
  listLiveOf,
  listLiveOptions,
  loadLive,
  notTrained,
  startLive,
  stopLive,
} from "../../store/live.ts";
import { loadModel } from "../../store/models.ts";
import { parseDetect, refuseSeries } from "../models/params.ts";
import { type PlanDeps, resolveBuckets } from "../models/plan.ts";
import { given, type Params } from "../shared/range.ts";
import { explainArrival, measureArrival } from "./arrival.ts";
import { planEnding } from "./ending.ts";
import { readFalseAlarms } from "./false-alarms.ts";
import { type LiveView, viewLate } from "./view.ts";

const UNSAVED = "output_bucket has no effect without save_output_data=true";

/** Live models read at a time: some 10 ms. */
const PAGE = 100;
/** Models up to which rows in memory are asked one by one. */
const FEW = 10;

/** End of live models, and what is to be called once it is committed. */
type PlannedStop = Ending & { readonly report: () => void };

export interface LiveControl {
  /** Names of the live models that read from or write to a bucket. */
  modelsUsing(bucket: string): Promise<string[]>;
  /** Stops the live ones of the models; an open anomaly is closed with the reason. */
  stop(models: readonly string[], reason?: string): Promise<void>;
  /** Plans the end of the live ones of the models, for the transaction that deletes them; `report` is for afterwards. */
  planStop(models: readonly string[], reason: string): Promise<PlannedStop>;
  /** Notifies live detection of models whose settings have changed. */
  follow(models: readonly string[]): Promise<void>;
  /** Views of those models that are live, by name. */
  views(models: readonly string[]): Promise<ReadonlyMap<string, LiveView>>;
  /** As `views`, with evaluations and false alarms. */
  details(models: readonly string[]): Promise<ReadonlyMap<string, LiveView>>;
}

export interface LiveDeps extends PlanDeps {
  readonly clock: Pick<Clock, "now">;
  readonly loop: Pick<LiveLoop, "follow">;
  readonly output: Pick<Output, "problemOf">;
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
  /** Called for every anomaly that is closed by a stop. */
  readonly onEpisode?: (notice: EpisodeNotice) => void;
  /** A fresh UUID. */
  readonly newId: () => string;
}

interface Planned {
  readonly start: LiveStart;
  readonly advice: readonly string[];
}

export class Live implements LiveControl {
  constructor(private readonly deps: LiveDeps) {}

  /**
   * Starts models, all or none; live ones get the new parameters.
   * @returns advice on models whose points arrive after their windows are evaluated, or cannot arrive at all
   * @throws TorusError `not_found`, `not_trained`, `invalid`, `not_supported` (output bucket)
   */
  async startAll(names: readonly string[], params: Params): Promise<string[]> {
    refuseSeries(params, "a start");
    const planned: Planned[] = [];
    for (const name of new Set(names)) planned.push(await this.#plan(name, params));
    const starts = planned.map(({ start }) => start);
    const { store, clock, loop, onEvents } = this.deps;
    const ending = await planEnding(this.deps, names, "detection was switched off");
    await startLive(store, starts, { at: clock.now(), ending });
    ending.report();
    onEvents();
    await loop.follow(names);
    return planned.flatMap(({ start: { model }, advice }) => advice.map((text) => `${model}: ${text}`));
  }

  /** Stops models, all or none. @throws TorusError `not_found`, also if one is not live, `invalid` */
  async stopAll(names: readonly string[], params: Params = {}): Promise<void> {
    refuseSeries(params, "a stop");
    await this.#stop(names, { reason: "the model was stopped", strict: true });
  }

  async stop(models: readonly string[], reason = "the model was stopped"): Promise<void> {
    await this.#stop(models, { reason, strict: false });
  }

  async planStop(models: readonly string[], reason: string): Promise<PlannedStop> {
    const ending = await planEnding(this.deps, models, reason);
    return {
      ...ending,
      report: () => {
        ending.report();
        this.deps.onEvents();
      },
    };
  }

  follow(models: readonly string[]): Promise<void> {
    return this.deps.loop.follow(models);
  }

  async modelsUsing(bucket: string): Promise<string[]> {
    const { store } = this.deps;
    const using: string[] = [];
    const rows = await listLiveOptions(store);
    for (const [i, { model, options }] of rows.entries()) {
      if (i % PAGE === PAGE - 1) await yieldToEventLoop();
      const { buckets } = storedSettings(await loadModel(store, model));
      if (options.save?.bucket === bucket || buckets.includes(bucket)) using.push(model);
    }
    return using;
  }

  async views(models: readonly string[]): Promise<ReadonlyMap<string, LiveView>> {
    const { store } = this.deps;
    const views = new Map<string, LiveView>();
    for (let from = 0; from < models.length; from += PAGE) {
      if (from > 0) await yieldToEventLoop();
      const some = models.slice(from, from + PAGE);
      for (const row of await readLive(store, some)) views.set(row.model, this.#view(row));
    }
    return views;
  }

  async details(models: readonly string[]): Promise<ReadonlyMap<string, LiveView>> {
    const details = new Map<string, LiveView>();
    for (const [name, view] of await this.views(models))
      details.set(name, {
        ...view,
        evaluations: await listEvaluations(this.deps.store, name),
        falseAlarms: await this.#readFalseAlarms(name, view),
      });
    return details;
  }

  /** Of a model that has a version and detects anomalies. */
  async #readFalseAlarms(model: string, { row, state }: LiveView): Promise<LiveView["falseAlarms"]> {
    const { lastWindowAt, startedAt, options } = row;
    const { store } = this.deps;
    const loaded = await loadModel(store, model);
    if (!options.detect || lastWindowAt === null || !loaded.version) return undefined;
    const { fleet } = state;
    const count = fleet ? fleet.watched + fleet.anomalous : 1;
    const watched = { model, sinceAt: startedAt, untilAt: lastWindowAt, count };
    return readFalseAlarms(store, watched, storedSettings(loaded));
  }

  #view(row: LiveRow): LiveView {
    return { row, state: stateOf(row), outputProblem: this.deps.output.problemOf(row) };
  }

  async #plan(name: string, params: Params): Promise<Planned> {
    const row = await loadModel(this.deps.store, name);
    const untrained = startsUntrained(row.settings);
    if (!row.version && !untrained) throw notTrained(name);
    const detect = parseDetect(params);
    const { save_output_data, output_bucket } = params;
    const stored = storedSettings(row);
    const { save } = await resolveBuckets(this.deps, stored.settings, { save_output_data, output_bucket });
    const { openBucket, clock, newId } = this.deps;
    const arrival = await measureArrival(openBucket, stored, clock.now());
    const offsetMs = nextAutoOffset(0, arrival);
    const start = {
      model: name,
      options: { detect, ...(save && { save }) },
      untrained,
      state: { ...freshState(newId()), ...(arrival && { arrival, offsetMs }) },
    };
    const late = viewLate(arrival, stored.offsetMs ?? offsetMs);
    const missing = await explainArrival(openBucket, stored, arrival);
    const unsaved = !save && given(params, "output_bucket") !== undefined;
    return { start, advice: [...(late ? [late.advice] : []), ...missing, ...(unsaved ? [UNSAVED] : [])] };
  }

  async #stop(
    names: readonly string[],
    { reason, strict }: { reason: string; strict: boolean },
  ): Promise<void> {
    const { store, clock, loop, onEvents } = this.deps;
    const ending = await planEnding(this.deps, names, reason);
    const stopped = await stopLive(store, names, { at: clock.now(), ending, strict });
    ending.report();
    if (stopped.length === 0) return;
    onEvents();
    await loop.follow(stopped);
  }
}

/** Rows of those models that are live. */
async function readLive(store: Store, names: readonly string[]): Promise<readonly LiveRow[]> {
  if (names.length > FEW) return listLiveOf(store, names);
  const rows = await Promise.all(names.map((name) => loadLive(store, name)));
  return rows.filter((row) => row !== undefined);
}
