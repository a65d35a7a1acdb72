// Fills of a limit, generated: straight, stepped, cleaned up, rotated, paused, accelerating and flat ones.
import { createRandom } from "../../../wasm/random.ts";

export const LIMIT = 90;
const DAY_MS = 86_400_000;
export const kinds = ["linear", "stepped", "sawtooth", "rotating", "paused", "accelerating", "flat"] as const;
export type FillKind = (typeof kinds)[number];

const intervals = [288, 24, 1] as const;

export interface Fill {
  readonly name: string;
  readonly kind: FillKind;
  readonly column: Float64Array;
  /** The same until the limit is reached; of a flat one the same. */
  readonly whole: Float64Array;
  readonly intervalMs: number;
  /** Value without noise, also after the end of the column. */
  readonly truth: (index: number) => number;
  /** Intervals from the end until the limit is reached; undefined: never. */
  readonly lead: number | undefined;
}

type Random = ReturnType<typeof createRandom>;

interface Plan {
  /** All in days. */
  readonly days: number;
  readonly lead: number;
  readonly start: number;
  readonly random: Random;
}

/** As many fills as asked, all kinds in turn. */
export function makeFills(count: number, seed: number): Fill[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, k) => makeFill(k, random));
}

function makeFill(k: number, random: Random): Fill {
  const kind = kinds[k % kinds.length]!;
  const perDay = intervals[Math.floor(k / kinds.length) % intervals.length]!;
  const days =
    perDay === 1 ? 60 + Math.floor(120 * random.uniform()) : 10 + Math.floor(18 * random.uniform());
  const lead = days * (0.1 + 0.4 * random.uniform());
  const start = 15 + 30 * random.uniform();
  const plan = { days, lead, start, random };
  const shape = shapes[kind](plan, perDay);
  const noise = [0.05, 0.3, 1][Math.floor(3 * random.uniform())]!;
  const wave = perDay > 1 && random.uniform() < 0.3 ? 1.5 : 0;
  const truth = (i: number) => shape(i / perDay) + wave * Math.sin((2 * Math.PI * i) / perDay);
  const length = days * perDay;
  const reached = kind === "flat" ? undefined : firstAbove(truth, length, LIMIT);
  const whole = Float64Array.from(
    { length: length + (reached ?? 0) },
    (_value, i) => truth(i) + noise * random.normal(),
  );
  const column = whole.subarray(0, length);
  const name = `${kind}, ${perDay} a day, ${days} days, noise ${noise}${wave ? ", daily wave" : ""}`;
  return { name, kind, column, whole, intervalMs: DAY_MS / perDay, truth, lead: reached };
}

/** Value by day, without noise. */
const shapes: Record<FillKind, (plan: Plan, perDay: number) => (day: number) => number> = {
  linear: ({ days, lead, start }) => {
    const slope = (LIMIT - start) / (days + lead);
    return (day) => start + slope * day;
  },
  stepped: ({ days, lead, start, random }, perDay) => {
    const tread = Math.max(3 / perDay, (days + lead) / (12 + 20 * random.uniform()));
    const slope = (LIMIT - start) / (days + lead);
    return (day) => start + slope * tread * Math.floor(day / tread);
  },
  sawtooth: ({ days, lead, start, random }, perDay) => {
    const cycle = Math.max(6 / perDay, days / (8 + 20 * random.uniform()));
    const height = 3 + 9 * random.uniform();
    const slope = (LIMIT - start - height) / (days + lead);
    return (day) => start + slope * day + height * ((day / cycle) % 1);
  },
  rotating: ({ days, lead, start, random }, perDay) => {
    const cycle = Math.max(6 / perDay, days / (10 + 15 * random.uniform()));
    const floor = start / 3;
    const growth = (LIMIT - start) / (days + lead);
    return (day) => floor + (start + growth * day - floor) * ((day / cycle) % 1);
  },
  paused: ({ days, lead, start, random }) => {
    const from = days * (0.2 + 0.2 * random.uniform());
    const length = days * (0.15 + 0.2 * random.uniform());
    const slope = (LIMIT - start) / (days + lead - length);
    return (day) => start + slope * (day < from ? day : Math.max(from, day - length));
  },
  accelerating: ({ days, lead, start, random }) => {
    const bend = 0.3 + 0.7 * random.uniform();
    const end = days + lead;
    return (day) => start + (LIMIT - start) * ((1 - bend) * (day / end) + bend * (day / end) ** 2);
  },
  flat: ({ start, days, random }, perDay) => {
    const cycle = Math.max(6 / perDay, days / (8 + 20 * random.uniform()));
    const height = random.uniform() < 0.5 ? 0 : 20;
    return (day) => start + 25 + height * ((day / cycle) % 1);
  },
};

/** Intervals from a length on until a limit is reached; undefined: not within three times the length. */
export function firstAbove(truth: (i: number) => number, length: number, limit: number): number | undefined {
  for (let lead = 0; lead <= 3 * length; lead++) if (truth(length + lead) >= limit) return lead;
  return undefined;
}
