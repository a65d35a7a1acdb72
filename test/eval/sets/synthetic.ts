// Synthetic set: twelve kinds of anomalies injected into unlabelled stretches of the other series; reproducible.
import { createRandom } from "../../../wasm/random.ts";
import { findSegments } from "../metrics/scored.ts";
import type { Series } from "../series.ts";

/** Length of a stretch, in intervals. */
const MIN_LENGTH = 1000;
const MAX_LENGTH = 5000;
/** Least share of observed intervals. */
const MIN_OBSERVED = 0.9;
/** Anomalies per series, evenly spread over the second half. */
const PER_SERIES = 6;

/** A stretch to change in place, and the shape of one anomaly. */
interface Site {
  readonly values: Float64Array;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Deviation of the stretch, in units of the data. */
  readonly scale: number;
  /** Random number in 0..1. */
  readonly uniform: () => number;
  readonly normal: () => number;
  /** Intervals of a day. */
  readonly day: number;
}

/** Changes the values of a site, `size` deviations strong. */
type Inject = (site: Site, size: number) => void;

const each = ({ values, from, to }: Site, change: (value: number, share: number, i: number) => number) => {
  for (let i = from; i < to; i++) values[i] = change(values[i]!, (i - from) / Math.max(1, to - from), i);
};

/** Injections by kind, each with its length in points: a fixed range. */
const kinds: Readonly<
  Record<string, { readonly length: readonly [number, number]; readonly inject: Inject }>
> = {
  spike: { length: [1, 2], inject: (site, size) => each(site, (value) => value + size * site.scale) },
  dip: { length: [1, 3], inject: (site, size) => each(site, (value) => value - size * site.scale) },
  several: {
    length: [8, 16],
    inject: (site, size) => each(site, (value) => value + (site.uniform() < 0.4 ? size * site.scale : 0)),
  },
  shift: { length: [20, 60], inject: (site, size) => each(site, (value) => value + 0.6 * size * site.scale) },
  drop: {
    length: [10, 40],
    inject: (site) => {
      const low = site.values.filter(Number.isFinite).sort()[0] ?? 0;
      each(site, () => low);
    },
  },
  drift: {
    length: [40, 100],
    inject: (site, size) => each(site, (value, share) => value + size * share * site.scale),
  },
  variance: {
    length: [20, 60],
    inject: (site, size) => each(site, (value) => value + 0.5 * size * site.scale * site.normal()),
  },
  flat: {
    length: [20, 60],
    inject: (site) => {
      const held = site.values[site.from]!;
      each(site, () => held);
    },
  },
  warp: {
    length: [30, 80],
    inject: (site) => {
      const before = site.values.slice(site.from, site.to);
      each(
        site,
        (_, share) =>
          before[Math.min(before.length - 1, Math.floor((share * 3 * before.length) % before.length))]!,
      );
    },
  },
  phase: {
    length: [30, 80],
    inject: (site) => {
      const lag = Math.max(2, Math.round(site.day / 6));
      const before = site.values.slice();
      each(site, (value, _, i) => before[i - lag] ?? value);
    },
  },
  amplitude: {
    length: [20, 60],
    inject: (site, size) => {
      const part = site.values.slice(site.from, site.to).filter(Number.isFinite).sort();
      const middle = part[part.length >> 1] ?? 0;
      each(site, (value) => middle + (value - middle) * (1 + 0.5 * size));
    },
  },
  context: {
    length: [5, 20],
    inject: (site) => {
      const half = Math.round(site.day / 2);
      const before = site.values.slice();
      each(site, (value, _, i) => before[i - half] ?? value);
    },
  },
};

/** One series per stretch that is long enough; the second half holds the anomalies. */
export function makeSynthetic(all: readonly Series[]): Series[] {
  const names = Object.keys(kinds);
  let next = 0;
  return all.flatMap((series, index): Series[] => {
    const stretch = longestQuiet(series);
    if (!stretch) return [];
    const values = series.values.slice(stretch.from, stretch.to);
    const scale = deviationOf(values);
    if (!(scale > 0)) return [];
    const labels = new Uint8Array(values.length);
    const random = createRandom(1000 + index);
    const half = values.length >> 1;
    const space = Math.floor((values.length - half) / PER_SERIES);
    for (let k = 0; k < PER_SERIES; k++) {
      const { length, inject } = kinds[names[next++ % names.length]!]!;
      const points = length[0] + Math.floor(random.uniform() * (length[1] - length[0] + 1));
      const from =
        half + k * space + Math.floor((0.2 + 0.6 * random.uniform()) * Math.max(0, space - points));
      const to = Math.min(values.length, from + points);
      const site = {
        values,
        from,
        to,
        scale,
        day: Math.max(4, Math.round(86_400 / series.step)),
        uniform: () => random.uniform(),
        normal: () => random.normal(),
      };
      inject(site, (2 + 3 * random.uniform()) * (random.uniform() < 0.5 && length[1] > 3 ? -1 : 1));
      labels.fill(1, from, to);
    }
    const startAt = series.startAt + stretch.from * series.step;
    const rows = [...values.keys()].flatMap((i) =>
      Number.isFinite(values[i]!)
        ? [{ timestamp: startAt + i * series.step, value: values[i]!, label: labels[i]! }]
        : [],
    );
    const name = `synthetic/${series.name.replaceAll("/", "-")}`;
    return [{ name, group: "synthetic", step: series.step, startAt, values, labels, rows }];
  });
}

/** The end of the longest unlabelled stretch; undefined if all are too short or have too many gaps. */
function longestQuiet({ labels, values }: Series): { from: number; to: number } | undefined {
  const quiet = findSegments(labels.map((label) => 1 - label));
  const longest = quiet.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  if (!longest || longest.to - longest.from < MIN_LENGTH) return undefined;
  const from = Math.max(longest.from, longest.to - MAX_LENGTH);
  const observed = values.subarray(from, longest.to).filter(Number.isFinite).length;
  return observed >= MIN_OBSERVED * (longest.to - from) ? { from, to: longest.to } : undefined;
}

function deviationOf(values: Float64Array): number {
  const present = values.filter(Number.isFinite);
  if (present.every((value) => value === present[0])) return 0;
  const mean = present.reduce((sum, value) => sum + value / present.length, 0);
  return Math.sqrt(present.reduce((sum, value) => sum + (value - mean) ** 2 / present.length, 0));
}
