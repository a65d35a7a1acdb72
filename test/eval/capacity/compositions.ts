// Compositions: fills of a growth, single jumps, clean-ups and disturbances drawn at random, and series that do not fill.
import { DAY_MS } from "../../../src/core/time/time.ts";
import { createRandom } from "../../../wasm/random.ts";
import { type Draw as Drawn, drawOf } from "../draw.ts";
import { firstAbove } from "./fills.ts";

const LIMIT = 100;

export interface Composition {
  readonly name: string;
  /** NaN = missing. */
  readonly column: Float64Array;
  readonly intervalMs: number;
  readonly limit: { readonly type: "low" | "high"; readonly value: number };
  /** Intervals from the end until the limit is reached; undefined: never. */
  readonly lead: number | undefined;
}

interface Draw extends Drawn {
  readonly normal: () => number;
}

/** Values by day, without noise; of those that grow from 0 on, to any height. */
type Course = (day: number) => number;

interface Span {
  readonly days: number;
  /** Day at which the limit is about reached. */
  readonly end: number;
}

const growths: Readonly<Record<string, (span: Span, draw: Draw) => Course>> = {
  line: () => (day) => day,
  workdays: () => (day) => 5 * Math.floor(day / 7) + Math.min(5, day % 7),
  nightly: () => (day) => Math.floor(day + 0.9),
  accelerating:
    ({ end }) =>
    (day) =>
      0.5 * day + (0.5 * day * day) / end,
  slower:
    ({ end }) =>
    (day) =>
      Math.sqrt(1 + (3 * day) / end) - 1,
  begun: ({ days }, draw) => {
    const from = days * draw.within(0.3, 0.65);
    return (day) => Math.max(0, day - from);
  },
  faster: ({ days }, draw) => {
    const [from, more] = [days * draw.within(0.3, 0.65), draw.within(1, 3)];
    return (day) => day + more * Math.max(0, day - from);
  },
};

const levels: Readonly<Record<string, (span: Span, draw: Draw) => Course>> = {
  flat: () => () => 0,
  stopped: ({ days }, draw) => {
    const at = days * draw.within(0.4, 0.75);
    return (day) => 20 * Math.min(1, day / at) - 20;
  },
  "one step": ({ days }, draw) => {
    const [at, height] = [days * draw.within(0.2, 0.9), draw.within(5, 25)];
    return (day) => (day >= at ? height : 0);
  },
  "slow wave": ({ days }, draw) => {
    const length = days / draw.within(1.5, 2.6);
    return (day) => 12 * Math.sin((2 * Math.PI * day) / length);
  },
  week: () => (day) => 8 * Math.sin((2 * Math.PI * day) / 7),
};

/** Compositions of a seed, three of four of which grow, to a limit that they are not at yet. */
export function composeFills(count: number, seed: number): Composition[] {
  const random = createRandom(seed);
  const draw = { ...drawOf(random), normal: random.normal };
  const made: Composition[] = [];
  while (made.length < count) {
    const one = compose(made.length, draw);
    if (one.lead === undefined || (one.lead > 0 && one.lead <= one.column.length)) made.push(one);
  }
  return made;
}

function compose(k: number, draw: Draw): Composition {
  const perDay = draw.pick([1440, 288, 288, 96, 24, 24, 1]);
  const [least, most] = perDay === 1 ? [45, 300] : perDay === 1440 ? [4, 13] : [14, 45];
  const days = Math.round(draw.within(least, most));
  const grows = draw.chance(0.75);
  const span = { days, end: days * (1 + draw.within(0.1, 0.6)) };
  const [name, make] = draw.pick(Object.entries(grows ? growths : levels));
  const course = make(span, draw);
  const start = grows ? draw.within(15, 50) : draw.within(40, 60);
  const scale = grows ? (LIMIT - start) / course(span.end) : 1;
  const [jump, added] = grows && draw.chance(0.3) ? jumpOf(span, start, draw) : ["", () => 0];
  const [shape, below] = shapeOf(perDay, days, draw);
  const value: Course = (day) => start + scale * course(day) + added(day) + below(day);
  const length = days * perDay;
  const lead = grows ? firstAbove((i) => value(i / perDay), length, LIMIT) : undefined;
  const [record, noise] = recordOf(length, draw);
  const isLow = draw.chance(0.35);
  const turn = (own: number) => (isLow ? LIMIT - own : own);
  return {
    name: [`${k}: ${perDay} a day, ${days} days`, name, jump, shape, noise].filter(Boolean).join(", "),
    column: Float64Array.from({ length }, (_, i) => record(i, (off) => turn(value(i / perDay) + off))),
    intervalMs: DAY_MS / perDay,
    limit: { type: isLow ? "low" : "high", value: turn(LIMIT) },
    lead,
  };
}

/** An upload or a deletion. */
function jumpOf({ days }: Span, start: number, draw: Draw): [string, Course] {
  const [at, isUp] = [days * draw.within(0.1, 0.9), draw.chance(0.5)];
  const size = (isUp ? 1 : -1) * draw.within(0.08, 0.25) * (LIMIT - start);
  return [isUp ? "upload" : "deletion", (day) => (day >= at ? size : 0)];
}

/** A wave of days and clean-ups: what is below the peaks. */
function shapeOf(perDay: number, days: number, draw: Draw): [string, Course] {
  const wave = perDay > 1 && draw.chance(0.35) ? draw.within(0.3, 4) : 0;
  const cycle = draw.pick(perDay === 1 ? [7, 10, 14] : [1, 7, days / 9]);
  const height = draw.chance(0.3) && days / cycle >= 3 ? draw.within(2, 14) : 0;
  const name = [wave && "daily wave", height && `clean-up each ${cycle.toFixed(1)} days`];
  const below: Course = (day) =>
    wave * (Math.sin(2 * Math.PI * day) - 1) + height * (((day / cycle) % 1) - 1);
  return [name.filter(Boolean).join(", "), below];
}

/** A value as it is recorded: from what it is by a distance, with noise, spikes, an outage, and missing points. */
type Recorder = (i: number, valueWith: (off: number) => number) => number;

function recordOf(length: number, draw: Draw): [Recorder, string] {
  const [noise, unit] = [draw.pick([0, 0.05, 0.3, 1]), draw.pick([0, 0, 0, 1, 0.1])];
  const spikes = new Map<number, number>();
  if (draw.chance(0.3))
    for (let k = Math.ceil(draw.within(0, 5)); k > 0; k--)
      spikes.set(Math.floor(draw.within(0, length)), draw.within(5, 25));
  const hasOutage = draw.chance(0.25);
  const from = draw.within(0, 0.9 * length);
  const to = hasOutage ? from + Math.max(1, draw.within(0.005, 0.08) * length) : from;
  const down = draw.pick([Number.NaN, Number.NaN, 0]);
  const missing = draw.chance(0.2) ? draw.within(0.02, 0.2) : 0;
  const record: Recorder = (i, valueWith) => {
    if (draw.chance(missing) && i < length - 1) return Number.NaN;
    if (i >= from && i < to) return down;
    const own = valueWith(noise * draw.normal() + (spikes.get(i) ?? 0));
    return unit > 0 ? unit * Math.round(own / unit) : own;
  };
  const names = [
    `noise ${noise}`,
    unit && `rounded to ${unit}`,
    spikes.size && `${spikes.size} spikes`,
    hasOutage && `${down || "nothing"} for a while`,
    missing && "points missing",
  ];
  return [record, names.filter(Boolean).join(", ")];
}
