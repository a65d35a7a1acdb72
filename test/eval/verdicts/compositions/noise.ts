// Noise of a composition: its spread at a usual value, and what is recorded there; pure.
import type { Random } from "../../../../wasm/random.ts";
import type { Draw } from "../../draw.ts";

export interface Noise {
  readonly name: string;
  /** Robust deviation at a usual value, at least half of the step that values are rounded to. */
  readonly spreadOf: (usual: number) => number;
  /** Deviations that hardly a point exceeds. */
  readonly most: number;
  /** Whether a value that is recorded twice in a row is rare. */
  readonly isFine: boolean;
  /** Called once per series. @returns values one after the other; `times` the usual noise */
  readonly start: (random: Random) => (usual: number, times: number) => number;
}

interface Level {
  readonly measure: string;
  readonly top: number;
  /** Height of the day, or level without one. */
  readonly size: number;
}

/** Deviations of a normal distribution, and of heavy tails, that hardly a point exceeds. */
const MOST = 5;
const MOST_OF_HEAVY = 10;

export function drawNoise({ measure, top, size }: Level, draw: Draw): Noise {
  if (measure === "counts" && draw.chance(0.7)) return counts;
  const share = draw.within(0.02, 0.12);
  const deviation = share * size;
  const kinds = [
    () => normal(deviation),
    () => heavy(deviation),
    () => quantised(deviation, draw.power(0.5, 2)),
    () => persistent(deviation, draw.within(0.3, 0.8)),
    () => proportional(top > 0 && !["decibels", "around 0"].includes(measure) ? share : undefined, deviation),
  ];
  return draw.pick(kinds)();
}

const counts: Noise = {
  name: "counted",
  spreadOf: (usual) => Math.sqrt(Math.max(1, usual)),
  most: MOST,
  isFine: false,
  start: (random) => (usual, times) => {
    const off = usual > 0 ? countOf(usual, random) - usual : 0;
    return Math.max(0, Math.round(usual + times * off));
  },
};

/** A Poisson count: of few by waiting times, of many by a normal. */
function countOf(mean: number, random: Random): number {
  if (mean > 50) return mean + Math.sqrt(mean) * random.normal();
  let count = -1;
  for (let product = 1; product > Math.exp(-mean); product *= random.uniform()) count++;
  return count;
}

/** @param draw in deviations */
function even(name: string, most: number, deviation: number, draw: (random: Random) => number): Noise {
  return {
    ...{ name, most, spreadOf: () => deviation, isFine: true },
    start: (random) => (usual, times) => usual + times * deviation * draw(random),
  };
}

function normal(deviation: number): Noise {
  return even("normal noise", MOST, deviation, (random) => random.normal());
}

/** Student's t of three degrees of freedom, as far as `MOST_OF_HEAVY`. */
function heavy(deviation: number): Noise {
  return even("heavy tails", MOST_OF_HEAVY, deviation, (random) => {
    const chi = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
    const off = random.normal() / Math.sqrt(chi / 3);
    return Math.max(-MOST_OF_HEAVY, Math.min(MOST_OF_HEAVY, off));
  });
}

/** @param quantum in deviations */
function quantised(deviation: number, quantum: number): Noise {
  const step = quantum * deviation;
  return {
    name: `rounded to ${quantum.toFixed(1)} deviations`,
    spreadOf: () => Math.max(deviation, step / 2),
    most: MOST,
    isFine: false,
    start: (random) => (usual, times) =>
      step * Math.round((usual + times * deviation * random.normal()) / step),
  };
}

/** @param kept share that is left one interval later */
function persistent(deviation: number, kept: number): Noise {
  const fresh = Math.sqrt(1 - kept * kept);
  return {
    name: `noise that lasts, ${kept.toFixed(1)}`,
    spreadOf: () => deviation,
    most: MOST,
    isFine: true,
    start: (random) => {
      let off = 0;
      return (usual, times) => {
        off = kept * off + fresh * random.normal();
        return usual + times * deviation * off;
      };
    },
  };
}

function proportional(share: number | undefined, deviation: number): Noise {
  if (share === undefined) return normal(deviation);
  const spreadOf = (usual: number) => share * Math.abs(usual);
  return {
    name: `noise of ${(100 * share).toFixed(0)} %`,
    spreadOf,
    most: MOST,
    isFine: true,
    start: (random) => (usual, times) => usual + times * spreadOf(usual) * random.normal(),
  };
}
