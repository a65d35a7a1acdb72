// A live fleet in memory: its version, the fits of its series, and the state of each series between evaluations.
import type { SeriesTags } from "../../core/model/fleet.ts";
import type { SeriesStatus } from "../../core/series/series-status.ts";
import type { TrainedModel } from "../../models/kind.ts";
import type { LoadedSeries } from "../../store/fleets/live-series.ts";
import type { LoadedVersion } from "../../store/versions.ts";
import type { WatchedForecasts } from "../conditions/run-forecasts.ts";
import { SILENCE } from "../conditions/silence.ts";
import { freshState, type LiveState } from "../state.ts";

/** A series fitted to the networks of a version. */
export interface FittedSeries {
  readonly points: number;
  /** ms since the epoch. */
  readonly fittedAt: number;
  /** Intervals before a window that its model needs. */
  readonly history: number;
  /** Its model, unpacked with each call: thousands of them would take a gigabyte. */
  readonly makeModel: () => TrainedModel;
}

/** A series between two evaluations. */
export interface FleetSeries {
  readonly key: string;
  readonly tags: SeriesTags;
  /** ms since the epoch. */
  readonly firstSeenAt: number;
  /** End of the newest interval with points, ms since the epoch; null before the first. */
  readonly newestAt: number | null;
  /** Of the last interval, 0..100; null: nothing was scored. */
  readonly score: number | null;
  readonly state: LiveState;
  /** Whether its state is in the store. */
  readonly isStored: boolean;
}

export interface LiveFleet {
  /** Life from start to stop, see `StoredState`. */
  readonly run: string;
  readonly version: LoadedVersion;
  /** By key, see `seriesKeyOf`. */
  readonly fits: Map<string, FittedSeries>;
  readonly series: Map<string, FleetSeries>;
  /** Watched forecasts by key, newer than those of the states. */
  readonly forecasts: Map<string, WatchedForecasts>;
}

/** Parts of a state that decide over events: stored whenever they change. The others are stored in turns. */
const decisive = ["run", "anomaly", "episode", "behind", "conditions", "levelShift"] as const;

interface StoredParts {
  readonly state: Readonly<Record<string, unknown>>;
  readonly memory: Readonly<Record<string, unknown>>;
}

/** The two parts that are stored apart. */
export function splitState(state: LiveState): StoredParts {
  const isDecisive = ([key]: [string, unknown]) => decisive.some((name) => name === key);
  const entries = Object.entries(state);
  return {
    state: Object.fromEntries(entries.filter(isDecisive)),
    memory: Object.fromEntries(entries.filter((entry) => !isDecisive(entry))),
  };
}

/** A stored series; its memory may be some evaluations older than its state. */
export function restoreSeries(row: LoadedSeries, run: string): FleetSeries {
  const { key, tags, firstSeenAt, newestAt, score, state, memory } = row;
  const whole = { ...freshState(run), ...memory, ...state } as LiveState;
  return { key, tags, firstSeenAt, newestAt, score, state: whole, isStored: state !== undefined };
}

/** A series that is seen for the first time. */
export function newSeries(
  key: string,
  tags: SeriesTags,
  { run, at }: { run: string; at: number },
): FleetSeries {
  return { key, tags, firstSeenAt: at, newestAt: null, score: null, state: freshState(run), isStored: false };
}

export function statusOf({ state }: Pick<FleetSeries, "state">, isFitted: boolean): SeriesStatus {
  // First: without points an anomaly goes on, and says nothing of now.
  if (SILENCE in (state.conditions ?? {})) return "silent";
  if (state.episode) return "anomalous";
  return isFitted ? "watched" : "new";
}
