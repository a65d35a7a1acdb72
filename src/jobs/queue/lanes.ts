// Lanes: limits of concurrent jobs per class; classes do not wait for one another.
import type { JobType } from "../../core/job.ts";

const laneNames = ["training", "prediction", "data"] as const;
type LaneName = (typeof laneNames)[number];

/** Largest number of concurrent jobs per class. */
export type LaneSizes = Readonly<Record<LaneName, number>>;

export interface Lane {
  readonly types: readonly JobType[];
  readonly size: number;
  busy: number;
  /** A fill is in progress; `again` makes it check once more. */
  filling: boolean;
  again: boolean;
  /** Whether the last fill failed, which is reported once. */
  failing: boolean;
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
    failing: false,
  }));
}
