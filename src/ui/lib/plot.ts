// Geometry of a small chart: ticks of both axes, paths with gaps; pure.

type Column = readonly (number | null)[];

/** Steps of a time axis, seconds. */
const timeSteps = [
  1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600,
  2_592_000, 7_776_000, 31_536_000,
];

/** Of a step, for tenths that are no binary fractions. */
const TOLERANCE = 1e-9;

/** Multiples of 1, 2 or 5 times a power of ten within the range, about `count` of them. */
export function valueTicks(min: number, max: number, count: number): number[] {
  const rough = (max - min) / count;
  if (!(rough > 0) || !Number.isFinite(rough)) return [min];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  return multiples(min, max, step);
}

/** Round instants within the range, at most `count` of them. @param offset of the zone, seconds east of UTC */
export function timeTicks(from: number, to: number, count: number, offset = 0): number[] {
  const step = timeSteps.find((each) => (to - from) / each <= count) ?? timeSteps.at(-1)!;
  return multiples(from + offset, to + offset, step).map((at) => at - offset);
}

function multiples(min: number, max: number, step: number): number[] {
  const first = Math.ceil(min / step - TOLERANCE);
  const last = Math.floor(max / step + TOLERANCE);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

/** The least and the greatest value of the columns, a little apart; 0 and 1 without any. */
export function extentOf(columns: readonly Column[]): { readonly min: number; readonly max: number } {
  let [min, max] = [Infinity, -Infinity];
  for (const column of columns)
    for (const value of column) {
      if (value === null) continue;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  if (min > max) return { min: 0, max: 1 };
  const room = (max - min) * 0.04 || Math.abs(max) * 0.1 || 1;
  return { min: min - room, max: max + room };
}

/** A function from values to pixels. */
export type Scale = (value: number) => number;

export function scale([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const factor = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * factor;
}

/** Path of an SVG line; nulls are gaps, a value between two of them a short stroke. */
export function linePath(column: Column, x: Scale, y: Scale): string {
  const parts: string[] = [];
  for (const [i, value] of column.entries()) {
    if (value === null) continue;
    const isStart = (column[i - 1] ?? null) === null;
    parts.push(`${isStart ? "M" : "L"}${place(x(i))} ${place(y(value))}`);
    if (isStart && (column[i + 1] ?? null) === null) parts.push("h.5");
  }
  return parts.join("");
}

/** Path of an SVG area between two columns, without the gaps of either. */
export function areaPath(lower: Column, upper: Column, x: Scale, y: Scale): string {
  const parts: string[] = [];
  for (let i = 0; i < lower.length; i++) {
    const start = i;
    while (i < lower.length && lower[i] !== null && upper[i] !== null) i++;
    if (i === start) continue;
    const indices = Array.from({ length: i - start }, (_, k) => start + k);
    const point = (k: number, value: number) => `${place(x(k))} ${place(y(value))}`;
    const there = indices.map((k) => point(k, upper[k]!));
    const back = indices.toReversed().map((k) => point(k, lower[k]!));
    parts.push(`M${[...there, ...back].join("L")}Z`);
  }
  return parts.join("");
}

/** Tenths of a pixel are enough. */
function place(pixel: number): string {
  return String(Math.round(pixel * 10) / 10);
}
