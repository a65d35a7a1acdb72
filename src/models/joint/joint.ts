// Joint detector: fit and schema of the distance of several features from their usual relation; one feature has none.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { MAX_FEATURES } from "../../core/model/model.ts";
import { countRanks, RankCountsSchema } from "../detectors/ranks/rank.ts";
import { checkTail, fitTail, TailSchema, tailDecades } from "../stats/tail.ts";
import { numbers, type Stored, strict } from "../stored-schema.ts";
import { RecentLevels } from "./recent-levels.ts";
import { deviationOf, fitRelation } from "./relation.ts";

/** Least number of points at which most features are known: a tail of fewer says little. */
const MIN_POINTS = 200;
/** Most points, from the end of the range: two weeks of minutes. */
const MAX_POINTS = 20_160;
/** Points judged between two steps of a fit. */
const POINTS_PER_STEP = 1000;

export const JointSchema = Type.Object(
  {
    /** See `Relation`. */
    mean: numbers(MAX_FEATURES),
    precision: numbers(MAX_FEATURES ** 2),
    /** Tail of the distance over the training range, and the ranks of its points under it. */
    tail: TailSchema,
    ranks: RankCountsSchema,
    /** See `KnownLevel`: at the end of the range; null = none. */
    levels: Type.Array(Type.Union([Type.Tuple([Type.Number(), Type.Number(), Type.Number()]), Type.Null()]), {
      maxItems: MAX_FEATURES,
    }),
  },
  strict,
);
export type Joint = Stored<typeof JointSchema>;

interface JointInput {
  readonly startAt: number;
  readonly intervalMs: number;
  /** By feature, equally long: standardised values without baseline and outliers; NaN = missing. */
  readonly columns: readonly ArrayLike<number>[];
}

/**
 * Fits the joint detector to a training range, in steps of some milliseconds.
 * @returns undefined of one feature, and of too few points
 */
export function* jointSteps({
  startAt,
  intervalMs,
  columns,
}: JointInput): Generator<void, Joint | undefined> {
  if (columns.length < 2) return undefined;
  const recent = new RecentLevels(
    intervalMs,
    columns.map(() => null),
  );
  const levels: Float64Array[] = [];
  const { length } = columns[0]!;
  for (let i = Math.max(0, length - MAX_POINTS); i < length; i++) {
    const level = recent.step(
      startAt + i * intervalMs,
      columns.map((column) => column[i]!),
    );
    recent.learn();
    if (level) levels.push(level);
  }
  yield;
  const whole = levels.filter((level) => level.every(Number.isFinite));
  if (whole.length < MIN_POINTS) return undefined;
  const relation = fitRelation(whole);
  const distances = new Float64Array(levels.length);
  for (const [i, level] of levels.entries()) {
    distances[i] = deviationOf(relation, level).distance;
    if (i % POINTS_PER_STEP === 0) yield;
  }
  const tail = fitTail(distances);
  const ranks = countRanks(distances.map((distance) => tailDecades(tail, distance)));
  return { ...relation, tail, ranks, levels: recent.toMemory() };
}

/** Lists must be as long as the features are many. @throws TorusError `invalid` with a path below `parameters` */
export function checkJoint(joint: Joint | undefined, features: number): void {
  if (!joint) return;
  const path = "parameters.joint";
  for (const name of ["mean", "levels"] as const)
    if (joint[name].length !== features)
      throw invalid(`${path}.${name}`, `must be ${features}, one per feature`);
  if (joint.precision.length !== features ** 2)
    throw invalid(`${path}.precision`, `must be ${features ** 2} numbers, one per pair of features`);
  checkTail(joint.tail, `${path}.tail`);
}
