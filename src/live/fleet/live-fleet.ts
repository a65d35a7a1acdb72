// A live fleet in memory: its version, the fits of its series, and the state of each series between evaluations.
import type { SeriesTags } from "../../core/model/fleet.ts";
import type { SeriesStatus } from "../../core/series/series-status.ts";
import type { KindMemory, TrainedModel } from "../../models/kind.ts";
import type { LoadedSeries } from "../../store/fleets/live-series.ts";
import { packCompact, unpackJson } from "../../store/fleets/packed-json.ts";
import type { LoadedVersion } from "../../store/versions.ts";
import type { WatchedForecasts } from "../conditions/run-forecasts.ts";
import { isSilent } from "../conditions/silence.ts";
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
  /** The fit without the parameters that the memory of an evaluation replaces; absent in such a fit. */
  readonly settle?: (memory: KindMemory) => FittedSeries;
}

/** Memory of the model kind, packed between evaluations: that of thousands of series decides how much the server needs. */
export type PackedMemory = Uint8Array<ArrayBuffer>;

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
  /** Without the memory of the model kind. */
  readonly state: LiveState;
  readonly memory: PackedMemory | undefined;
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

type StoredPart = Readonly<Record<string, unknown>>;

/** The part that is stored with each change. */
export function decisivePart({ state }: FleetSeries): StoredPart {
  return Object.fromEntries(Object.entries(state).filter(isDecisive));
}

/** The part that is stored in turns. */
export function remainingPart({ state, memory }: FleetSeries): StoredPart {
  const entries = Object.entries(state).filter((entry) => !isDecisive(entry));
  return { ...Object.fromEntries(entries), ...(memory && { memory: unpackMemory(memory) }) };
}

function isDecisive([key]: [string, unknown]): boolean {
  return decisive.some((name) => name === key);
}

export function packMemory(memory: KindMemory): PackedMemory {
  return packCompact(memory);
}

/** Inverse of `packMemory`. */
export function unpackMemory(packed: PackedMemory): KindMemory {
  return unpackJson(packed);
}

/** A stored series; its memory may be some evaluations older than its state. */
export function restoreSeries(row: LoadedSeries, run: string): FleetSeries {
  const { key, tags, firstSeenAt, newestAt, score, state: known } = row;
  const { memory: kept, ...state } = { ...freshState(run), ...row.memory, ...known } as LiveState;
  const memory = kept && packMemory(kept);
  return { key, tags, firstSeenAt, newestAt, score, state, memory, isStored: known !== undefined };
}

/** A series that is seen for the first time. */
export function newSeries(
  key: string,
  tags: SeriesTags,
  { run, at }: { run: string; at: number },
): FleetSeries {
  const fresh = { newestAt: null, score: null, state: freshState(run), memory: undefined, isStored: false };
  return { key, tags, firstSeenAt: at, ...fresh };
}

export function statusOf({ state }: Pick<FleetSeries, "state">, isFitted: boolean): SeriesStatus {
  // First: without points an anomaly goes on, and says nothing of now.
  if (isSilent(state)) return "silent";
  if (state.episode) return "anomalous";
  return isFitted ? "watched" : "new";
}
