// False alarms that people have spoken of: which points are of their kind, and are not to be raised again; pure.
import { Type } from "@sinclair/typebox";
import { oneOf, type Stored, strict } from "../stored-schema.ts";
import type { DetectorName } from "./types.ts";

/** Points up to so much further off than the false alarm was are of its kind; an anomaly half as large again is not. */
const TOLERANCE_FACTOR = 1.25;
/** Kinds that a version keeps, of each feature. */
const MAX_KINDS = 64;

/** How far a point lies from what each detector expects, in units of the data; never negative. */
export type Distances = Readonly<Partial<Record<DetectorName, number>>>;

const distance = Type.Number({ minimum: 0 });

/** A kind of point that raises no anomaly, however rare. */
export const ToleratedKindSchema = Type.Object(
  {
    /** Side of the network's expectation on which it lies. */
    type: oneOf(["low", "high"], "must be low or high"),
    /** Largest distance of its points from what each detector expects, in units of the data. */
    distances: Type.Object({ network: distance, linear: distance, seasonal: distance }, strict),
  },
  strict,
);
export type ToleratedKind = Stored<typeof ToleratedKindSchema>;

export interface Deviation {
  readonly type: ToleratedKind["type"];
  /** By the detectors that were asked. */
  readonly distances: Distances;
}

/** Whether a point is of a tolerated kind: on the same side, and to no detector odder than the false alarm was. */
export function isTolerated(kinds: readonly ToleratedKind[], { type, distances }: Deviation): boolean {
  return kinds.some((kind) => kind.type === type && isWithin(distances, kind, TOLERANCE_FACTOR));
}

/** The score of a tolerated point: short of `min`, so that it neither starts an anomaly nor keeps one going. */
export function capScore(score: number, min: number): number {
  return Math.min(score, 0.9 * min);
}

/** Without those that another one covers; the newest where there are too many. @param kinds oldest first */
export function pruneKinds(kinds: readonly ToleratedKind[]): readonly ToleratedKind[] {
  const needed = kinds.filter((kind, i) => {
    const covers = (other: ToleratedKind, j: number) =>
      other.type === kind.type &&
      isWithin(kind.distances, other, 1) &&
      // Of two that cover each other the later one stays.
      (j > i || !isWithin(other.distances, kind, 1));
    return !kinds.some((other, j) => j !== i && covers(other, j));
  });
  return needed.slice(-MAX_KINDS);
}

function isWithin(distances: Distances, kind: ToleratedKind, reach: number): boolean {
  return Object.entries(distances).every(
    ([name, distance]) => distance <= reach * kind.distances[name as DetectorName],
  );
}
