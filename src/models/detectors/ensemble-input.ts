// Input and scores of the ensemble: one feature over a grid, and what each interval is found to be.
import type { Evidence } from "../../core/anomaly/event.ts";
import type { Thresholds } from "../../core/anomaly/state.ts";
import type { NetworkOutput } from "./kinds/kind.ts";
import type { Sides } from "./members.ts";
import type { DetectionRules } from "./rules.ts";
import type { Timeline } from "./timeline.ts";
import type { ToleratedKind } from "./tolerance.ts";
import type { Memory } from "./types.ts";

/** One feature over a grid, in units of the data. */
export interface EnsembleInput {
  readonly timeline: Timeline;
  /** NaN = missing. */
  readonly column: Float64Array;
  /** With the baseline that the column is without; absent: it has none. */
  readonly observed?: Float64Array | undefined;
  readonly network: NetworkOutput;
  /** First interval to score; those before it are history. */
  readonly from: number;
  readonly sides: Sides;
  readonly thresholds: Thresholds;
  /** Kinds of points that raise no anomaly. */
  readonly tolerated?: readonly ToleratedKind[] | undefined;
  /** Starts of the intervals (ms since the epoch) from which on the column has another level. */
  readonly shiftsAt?: readonly number[] | undefined;
  readonly memory?: Memory | undefined;
  /** Rank long windows too. */
  readonly ranged?: boolean | undefined;
  /** Rarity (decades) that bounds the bands; absent: the threshold in force. */
  readonly bandLimit?: number | undefined;
  /** Default: `detectionRules`. */
  readonly rules?: DetectionRules | undefined;
}

/** By interval of the grid; NaN where nothing was scored. */
export interface EnsembleScores {
  /** 0..100 */
  readonly score: Float64Array;
  /** Rarity in nats, unbounded, before the rule for bursts. */
  readonly rarity: Float64Array;
  /** Rarity of the stretch that ends at the point, decades; at least that of the point. */
  readonly rangeRarity: Float64Array;
  /** Expected value and the band of values that raise nothing; also where nothing was observed. */
  readonly expected: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Of the points at or above `thresholds.min`. */
  readonly evidence: ReadonlyMap<number, Evidence>;
  readonly memory: Memory;
}
