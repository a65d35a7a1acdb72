// Lanes: how many jobs of a class run side by side; classes never wait for one another.
import type { JobType } from "../../core/job.ts";

export const laneNames = ["training", "prediction", "data"] as const;
export type LaneName = (typeof laneNames)[number];

/** Jobs that run side by side, per class. */
export type LaneSizes = Readonly<Record<LaneName, number>>;

export interface Lane {
  readonly types: readonly JobType[];
  readonly size: number;
  busy: number;
  /** A fill is under way; `again` asks it for one more round. */
  filling: boolean;
  again: boolean;
}

const typesOf: Readonly<Record<LaneName, readonly JobType[]>> = {
  training: ["training", "backtest"],
  prediction: ["forecast", "prediction"],
  data: ["read", "write"],
};

/** One empty lane per class. */
export function makeLanes(sizes: LaneSizes): Lane[] {
  return laneNames.map((name) => ({
    types: typesOf[name],
    size: sizes[name],
    busy: 0,
    filling: false,
    again: false,
  }));
}
