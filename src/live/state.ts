// State of live detection of one model between evaluations; JSON in the store.
import type { Confidence } from "../core/anomaly/confidence.ts";
import type { FeatureReport } from "../core/anomaly/event.ts";
import type { LevelShift } from "../core/anomaly/level-shift.ts";
import type { Severity } from "../core/anomaly/severity.ts";
import { type AnomalyState, normalState } from "../core/anomaly/state.ts";
import type { Arrival } from "../core/series/arrival.ts";
import type { LastValues } from "../core/series/last-values.ts";
import type { FleetCounts } from "../core/series/series-status.ts";
import type { Drift, KindMemory } from "../models/kind.ts";
import type { RankHistogram } from "../models/stats/rank-histogram.ts";
import type { LiveRow, StoredState } from "../store/live.ts";
import type { ConditionState } from "./conditions/index.ts";
import type { Coverage } from "./episodes/coverage.ts";

/** Instants (ms) of outliers that must not serve as history, per feature; owned by the model kind. */
type Rejected = Readonly<Record<string, readonly number[]>>;

/** The anomaly in progress. Features and score are those of its start. */
export interface Ongoing {
  readonly id: string;
  readonly startedAt: number;
  readonly score: number;
  readonly features: Readonly<Record<string, FeatureReport>>;
  readonly peakScore: number;
  /** Of the peak, see `FeatureReport.rarity`; absent where the kind has none, and in states of an older version. */
  readonly peakRarity?: number;
  /** The highest so far, and that of the start; absent in states of an older version. */
  readonly severity?: Severity;
  readonly startSeverity?: Severity;
  /** Of the score at the start; absent in states of an older version. */
  readonly confidence?: Confidence;
  /** Whether its start event was queued: not while hooks are muted. */
  readonly announced: boolean;
}

/** Points that a version has learned from, in training and since. */
export interface Learned {
  /** `createdAt` of the version. */
  readonly version: number;
  readonly points: number;
}

/** JSON, part of the live state; absent once confidence is good. */
export interface Learning {
  /** Points observed: before the first version counted here, then those that the version has learned from. */
  readonly points: number;
  /** From how many points on the next training starts. */
  readonly nextPoints: number;
}

/** JSON, part of the live state: the last interval of the last window. */
interface LastInterval extends LastValues {
  /** 0..100; null: nothing was observed in the window. */
  readonly score: number | null;
}

export interface LiveState extends StoredState, ConditionState {
  readonly anomaly: AnomalyState;
  readonly rejected: Rejected;
  /** Memory of the model kind from earlier evaluations. */
  readonly memory?: KindMemory;
  /** Absent in states of an older version, and before the first evaluation. */
  readonly learned?: Learned;
  /** Of a model that may start without a training, until its confidence is good. */
  readonly learning?: Learning;
  /** The last step to another level since the training of the version. */
  readonly levelShift?: LevelShift;
  /** Absent while the series looks as it did in training. */
  readonly drift?: Drift;
  readonly episode?: Ongoing;
  /** Of a fleet, after its last evaluation. */
  readonly fleet?: FleetCounts;
  /** Of a fleet that compares its series: distances between them. */
  readonly peers?: Readonly<Record<string, RankHistogram>>;
  /** Absent before the first score, and in states of an older version. */
  readonly last?: LastInterval;
  /** How late points arrive; absent before the first points. */
  readonly arrival?: Arrival;
  /** Of `offset: auto`, ms. */
  readonly offsetMs?: number;
  /** Scored intervals, see coverage.ts; absent in states of an older version. */
  readonly scored?: Coverage;
  /** After the clock was set back: low scores in a row of intervals before the episode. */
  readonly behind?: number;
}

/** State before the first evaluation. @param run a fresh UUID */
export function freshState(run: string): LiveState {
  return { run, anomaly: normalState, rejected: {} };
}

/** The state of a row. */
export function stateOf({ state }: Pick<LiveRow, "state">): LiveState {
  // Only this folder writes it.
  return state as LiveState;
}
