// Detectors at one point: the value each expects from the past, and how surprising the observed one is; pure.
import { tailDecades } from "../stats/tail.ts";
import { detectorKinds } from "./kinds/index.ts";
import type { Judge, Live } from "./kinds/kind.ts";
import type { Nearest } from "./neighbours/windows.ts";
import { Weekly } from "./seasons/weekly.ts";
import { type DetectorName, type Ensemble, namesOf } from "./types.ts";

/** Directions that count. */
export interface Sides {
  readonly below: boolean;
  readonly above: boolean;
}

/** Whether a deviation counts in one direction alone. */
export function isOneSided({ below, above }: Sides): boolean {
  return !(below && above);
}

export interface Member {
  readonly name: DetectorName;
  /** In units of the data; NaN of windows whose side does not count. */
  readonly expected: number;
  /** Surprise of the observed value on a side that counts, decades under the tail of the training; NaN = missing. */
  readonly surprise: number;
  /** As `surprise`, on either side. */
  readonly ofEitherSide: number;
  /** Surprise of any value on either side; absent of detectors that judge windows. */
  readonly surpriseOf?: (value: number) => number;
  /** Distance of a value from the expectation, in units of the data. */
  readonly distanceOf: (value: number) => number;
  /** Nearest earlier window of the observed value, of a neighbour detector. */
  readonly nearest?: Nearest;
}

interface Sources {
  readonly ensemble: Ensemble;
  readonly sides: Sides;
  readonly live: Omit<
    Live,
    "linear" | "seasonalScale" | "clock" | "weekly" | "hourly" | "floor" | "repeats" | "oneSided"
  >;
  /** Distance from an expectation that is no deviation, as a share of the series' deviation. */
  readonly resolution: number;
}

export class Members {
  readonly #sources: Sources;
  readonly #live: Live;
  readonly #resolution: number;
  readonly #names: readonly DetectorName[];

  constructor(sources: Sources) {
    const { ensemble, resolution, live, sides } = sources;
    const { linear, seasonal, clock, hourly, floor, repeats, quantum = 0 } = ensemble;
    const weekly = ensemble.weekly && new Weekly(ensemble.weekly, live.timeline);
    this.#sources = sources;
    this.#live = {
      ...live,
      linear,
      seasonalScale: seasonal.scale,
      clock,
      weekly,
      hourly,
      floor,
      repeats,
      oneSided: isOneSided(sides),
    };
    // A sensor that rounds is next to an expectation that is not rounded.
    this.#resolution = Math.max(resolution * linear.scale, quantum);
    this.#names = namesOf(ensemble);
  }

  /** The detectors that can judge interval `i`. @param value NaN = missing */
  at(i: number, value: number): Member[] {
    const members: Member[] = [];
    for (const name of this.#names) {
      const judge = detectorKinds[name].judge(this.#live, i, value);
      if (judge) members.push(this.#toMember(name, judge, value));
    }
    return members;
  }

  #toMember(name: DetectorName, judge: Judge, value: number): Member {
    const { expected, statistic, statisticOf, nearest } = judge;
    const { ensemble, sides } = this.#sources;
    const { tail } = ensemble.detectors[name]!;
    // No distance is below 0.
    const usual = detectorKinds[name].judgesShape ? -1 : this.#resolution;
    const surpriseAt = (at: number, own: number) =>
      Math.abs(at - expected) <= usual ? 0 : tailDecades(tail, own);
    const counts = detectorKinds[name].bothSides
      ? !isOneSided(sides)
      : value < expected
        ? sides.below
        : sides.above;
    const isJudged = !Number.isNaN(value) && statistic !== undefined;
    const ofEitherSide = isJudged ? surpriseAt(value, statistic) : Number.NaN;
    return {
      name,
      expected,
      surprise: counts || !isJudged ? ofEitherSide : 0,
      ofEitherSide,
      distanceOf: judge.distanceOf ?? ((other) => Math.abs(other - expected)),
      ...(statisticOf && { surpriseOf: (other: number) => surpriseAt(other, statisticOf(other)) }),
      ...(nearest && { nearest }),
    };
  }
}
