// Tolerance of points like labelled false alarms, which raise no anomaly; pure.
import { Type } from "@sinclair/typebox";
import { oneOf, type Stored, strict } from "../stored-schema.ts";

/** Largest distance of a tolerated point, in units of that of the false alarm. */
const TOLERANCE_FACTOR = 1.25;
/** Kinds stored per feature. */
const MAX_KINDS = 64;

/** Detectors whose distances tell whether a point is like a false alarm. */
export const measuredNames = ["network", "linear", "seasonal"] as const;
type MeasuredName = (typeof measuredNames)[number];

/** Distance from the expectation of each detector, in units of the data; at least 0. */
export type Distances = Readonly<Partial<Record<MeasuredName, number>>>;

const distance = Type.Number({ minimum: 0 });

/** A kind of point that raises no anomaly, however rare. */
export const ToleratedKindSchema = Type.Object(
  {
    /** Side of the network's expectation on which it lies. */
    type: oneOf(["low", "high"], "must be low or high"),
    /** Largest distance of its points from the expectation of each detector, in units of the data. */
    distances: Type.Object({ network: distance, linear: distance, seasonal: distance }, strict),
  },
  strict,
);
export type ToleratedKind = Stored<typeof ToleratedKindSchema>;

export interface Deviation {
  readonly type: ToleratedKind["type"];
  /** By the detectors in use. */
  readonly distances: Distances;
}

/** Whether a point is tolerated: on the side of a false alarm, and about as far off by every detector. */
export function isTolerated(kinds: readonly ToleratedKind[], { type, distances }: Deviation): boolean {
  return kinds.some((kind) => kind.type === type && isWithin(distances, kind, TOLERANCE_FACTOR));
}

/** Score of a tolerated point: below `min`, so that it neither starts nor sustains an anomaly. */
export function capScore(score: number, min: number): number {
  return Math.min(score, 0.9 * min);
}

/** Drops the kinds that another one covers, then the oldest beyond `MAX_KINDS`. @param kinds oldest first */
export function pruneKinds(kinds: readonly ToleratedKind[]): readonly ToleratedKind[] {
  const needed = kinds.filter((kind, i) => {
    const covers = (other: ToleratedKind, j: number) =>
      other.type === kind.type &&
      isWithin(kind.distances, other, 1) &&
      // Of two that cover each other the later one is kept.
      (j > i || !isWithin(other.distances, kind, 1));
    return !kinds.some((other, j) => j !== i && covers(other, j));
  });
  return needed.slice(-MAX_KINDS);
}

function isWithin(distances: Distances, kind: ToleratedKind, reach: number): boolean {
  return Object.entries(distances).every(
    ([name, distance]) => distance <= reach * kind.distances[name as MeasuredName],
  );
}
