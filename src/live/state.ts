// What live detection remembers of a model between two evaluations: JSON, kept in the store.
import type { FeatureReport } from "../core/anomaly/event.ts";
import { type AnomalyState, normalState } from "../core/anomaly/state.ts";
import type { Arrival } from "../core/series/arrival.ts";
import type { Drift, KindMemory } from "../models/kind.ts";
import type { KeptState, LiveRow } from "../store/live.ts";
import type { Coverage } from "./coverage.ts";

/** Instants (ms) of points too odd to be believed as history, per feature: owned by the model kind. */
export type Rejected = Readonly<Record<string, readonly number[]>>;

/** The anomaly in progress, as it was at its start. */
export interface Ongoing {
  readonly id: string;
  readonly startedAt: number;
  readonly score: number;
  readonly features: Readonly<Record<string, FeatureReport>>;
  readonly peakScore: number;
  /** Of the peak, see `FeatureReport.rarity`; absent where the kind knows none, and in states of an older version. */
  readonly peakRarity?: number;
  /** False while mute: nobody was told of it. */
  readonly announced: boolean;
}

export interface LiveState extends KeptState {
  readonly anomaly: AnomalyState;
  readonly rejected: Rejected;
  /** What the model kind remembers of the evaluations before. */
  readonly memory?: KindMemory;
  /** Absent while the series looks as it did in training. */
  readonly drift?: Drift;
  readonly episode?: Ongoing;
  /** How late points come; absent before the first ones are seen. */
  readonly arrival?: Arrival;
  /** Of `offset: auto`, ms. */
  readonly offsetMs?: number;
  /** Intervals that moved the state, or could have; absent in states of an older version. */
  readonly scored?: Coverage;
  /** Low scores in a row of intervals before the episode began: the clock was set back. */
  readonly behind?: number;
}

/** Where detection stands before its first evaluation. @param run a fresh UUID */
export function freshState(run: string): LiveState {
  return { run, anomaly: normalState, rejected: {} };
}

/** The state of a row. */
export function stateOf({ state }: Pick<LiveRow, "state">): LiveState {
  // Written by this folder alone.
  return state as LiveState;
}
