// Task of an evaluation: a live model, the window that is due, and the services that score and record it.

import type { Calendars } from "../core/calendar/calendar.ts";
import type { SeriesTags } from "../core/model/fleet.ts";
import type { Tick, TickSchedule } from "../core/time/tick.ts";
import type { Clock } from "../runtime/clock.ts";
import type { KeyedLimiter } from "../runtime/keyed-limiter.ts";
import type { Store } from "../store/db/open.ts";
import type { LiveRow } from "../store/live.ts";
import type { ModelRow } from "../store/models.ts";
import type { BucketWatch } from "./bucket-watch.ts";
import type { EpisodeNotice } from "./episodes/episode-tracker.ts";
import type { FleetCache } from "./fleet/fleet-cache.ts";
import type { LiveFleet } from "./fleet/live-fleet.ts";
import type { ModelCache } from "./model-cache.ts";
import type { Output } from "./output.ts";
import type { RecentChanges } from "./recent-changes.ts";
import type { Recorder } from "./recorder.ts";
import type { ScoreDeps } from "./score-window.ts";
import type { StoredSettings } from "./stored-settings.ts";
import type { VersionCache } from "./versions.ts";
import type { Window } from "./window.ts";

export interface EvaluationDeps extends ScoreDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly models: ModelCache;
  readonly versions: VersionCache;
  readonly fleets: FleetCache;
  /** Work beside the loop that follows evaluations. */
  readonly followers: readonly Follower[];
  readonly recorder: Recorder;
  readonly recentChanges: RecentChanges;
  /** Whether scores are recorded for the history. */
  readonly keepsScores: () => boolean;
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
  /** Called for every anomaly that started or ended. */
  readonly onEpisode?: (notice: EpisodeNotice) => void;
  readonly bucketWatch: BucketWatch;
  /** See `ForecastDeps`. */
  readonly forecasting: KeyedLimiter;
  readonly output: Pick<Output, "save" | "forget" | "stop">;
  /** Submits a training from an instant (ms) on. @throws TorusError `training_active`, `overloaded`, `not_found` */
  readonly train: (model: string, fromAt: number) => Promise<unknown>;
  /** @returns a fresh UUID */
  readonly newId: () => string;
  /** Called for bugs: anything thrown that is no TorusError. */
  readonly onError: (error: unknown, model: string | null) => void;
}

/** Fits series, forecasts them or judges their capacity and budgets, between evaluations. */
export interface Follower {
  /** Requests what is due after an evaluation of a fleet; returns at once. */
  follow(fleet: LiveFleet, task: Task): void;
  /** The same after one of a model of one series. */
  followModel?(task: Task): void;
  stop(): Promise<void>;
}

export type DueTick = Tick & { readonly slot: number };

/** An evaluation with a window to score. */
export interface Task {
  readonly row: LiveRow;
  /** Of the settings, see `DueRow`. */
  readonly revision: string;
  readonly effective: StoredSettings;
  /** Those of mute windows and known events. */
  readonly calendars: Calendars;
  readonly version: ModelRow["version"];
  /** Of a fleet: the series that is evaluated, whose state `row` has then. */
  readonly series?: SeriesTags;
  readonly window: Window;
  readonly tick: DueTick;
  readonly schedule: TickSchedule;
  readonly nowAt: number;
}
