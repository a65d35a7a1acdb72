// Novelty: rarity of a value far beyond all known values, by their range alone.
import { LEVELS } from "../neighbours/quanta.ts";
import type { DetectionRules } from "../rules.ts";

/** Range of the known values, in quanta. */
export interface KnownRange {
  readonly least: number;
  readonly greatest: number;
  /** Number of known values. */
  readonly points: number;
}

/** Distance of a value beyond the known ones, in widths of their range; 0 within it, and beyond a clipped value. */
export function distanceBeyond(value: number, { least, greatest }: KnownRange): number {
  const width = greatest - least;
  const edge = value > greatest ? greatest : least;
  const isWithin = value >= least && value <= greatest;
  return isWithin || !(width > 0) || Math.abs(edge) === LEVELS ? 0 : Math.abs(value - edge) / width;
}

/**
 * Rarity in decades; 0 within the range and moderately beyond it.
 * @param distance see `distanceBeyond`
 * @param points known ones
 */
export function noveltyOf(distance: number, points: number, rules: DetectionRules): number {
  const decades = rules.noveltyExponent * Math.log10(1 + distance) - rules.noveltyMargin;
  return decades > 0 ? Math.log10(points + 1) + Math.min(rules.maxDecadesBeyond, decades) : 0;
}

/** Least and greatest of the last values of a growing series. */
export class SlidingRange {
  /** Those that no later one reaches, oldest first. */
  readonly #least: Candidate[];
  readonly #greatest: Candidate[];
  #count: number;

  /**
   * @param length values that are known at most
   * @param history oldest first
   */
  constructor(
    private readonly length: number,
    history: Float64Array = new Float64Array(),
  ) {
    this.#count = history.length;
    this.#least = unreached(history, length, (value, bound) => value < bound);
    this.#greatest = unreached(history, length, (value, bound) => value > bound);
  }

  push(value: number): void {
    const candidate = { value, position: this.#count++ };
    const oldest = this.#count - this.length;
    replaceReached(this.#least, candidate, (other) => other >= value, oldest);
    replaceReached(this.#greatest, candidate, (other) => other <= value, oldest);
  }

  /** Values that bound the range now or later, by the number of values since. */
  get candidates(): ReadonlyMap<number, number> {
    const sides = [...this.#least, ...this.#greatest];
    return new Map(sides.map(({ value, position }) => [this.#count - 1 - position, value]));
  }

  /** Undefined before the first value. */
  get range(): KnownRange | undefined {
    const [least, greatest] = [this.#least[0], this.#greatest[0]];
    if (!least || !greatest) return undefined;
    return { least: least.value, greatest: greatest.value, points: Math.min(this.length, this.#count) };
  }
}

interface Candidate {
  readonly value: number;
  readonly position: number;
}

/** From the newest back: a live window has thousands of known values, but few candidates. */
function unreached(
  history: Float64Array,
  length: number,
  exceeds: (value: number, bound: number) => boolean,
): Candidate[] {
  const candidates: Candidate[] = [];
  let bound = Number.NaN;
  for (let position = history.length - 1; position >= Math.max(0, history.length - length); position--) {
    const value = history[position]!;
    if (candidates.length > 0 && !exceeds(value, bound)) continue;
    candidates.push({ value, position });
    bound = value;
  }
  return candidates.reverse();
}

function replaceReached(
  candidates: Candidate[],
  candidate: Candidate,
  isReached: (other: number) => boolean,
  oldest: number,
): void {
  while (candidates.length > 0 && isReached(candidates.at(-1)!.value)) candidates.pop();
  candidates.push(candidate);
  while (candidates[0]!.position < oldest) candidates.shift();
}
