// Window of an overview map: dragged by its middle or an edge, drawn anew beside it, moved by keys; pure.
import { type JudgedEpisode, markTraining } from "../../core/anomaly/training-marks.ts";
import type { Range } from "./range.ts";

export type Grip = "middle" | "from" | "to" | "new";

export interface Drag {
  readonly grip: Grip;
  /** When it began. */
  readonly window: Range;
  /** Instant below the pointer when it began. */
  readonly start: number;
}

/** Shortest window, seconds. */
const MIN_LENGTH = 60;
/** Share of a window that belongs to each edge at most, so that a narrow one has a middle. */
const EDGE = 0.25;

/** The part of the window at an instant. @param near distance of an edge in seconds that still counts */
export function gripAt(at: number, { from, to }: Range, near: number): Grip {
  const isInside = at > from && at < to;
  const reach = isInside ? Math.min(near, EDGE * (to - from)) : near;
  const [before, after] = [Math.abs(at - from), Math.abs(at - to)];
  if (Math.min(before, after) <= reach) return before < after ? "from" : "to";
  return isInside ? "middle" : "new";
}

/** The window while the pointer is at an instant. */
export function dragWindow({ grip, window, start }: Drag, at: number, extent: Range): Range {
  const { from, to } = window;
  if (grip === "middle") return keepWithin({ from: from + at - start, to: to + at - start }, extent);
  const held = Math.min(extent.to, Math.max(extent.from, at));
  const fixed = grip === "from" ? to : grip === "to" ? from : start;
  const first = Math.min(fixed, held);
  return keepWithin({ from: first, to: Math.max(first + MIN_LENGTH, fixed, held) }, extent);
}

/** The window around an instant. */
export function centerWindow({ from, to }: Range, at: number, extent: Range): Range {
  const half = (to - from) / 2;
  return keepWithin({ from: at - half, to: at + half }, extent);
}

/** Moved into the extent; a longer one is cut. */
export function keepWithin({ from, to }: Range, extent: Range): Range {
  const length = Math.min(to - from, extent.to - extent.from);
  const first = Math.min(Math.max(from, extent.from), extent.to - length);
  return { from: first, to: first + length };
}

/** Shares of the window that keys move its ends by. */
const steps: Readonly<Record<string, readonly [from: number, to: number]>> = {
  ArrowLeft: [-0.1, -0.1],
  ArrowDown: [-0.1, -0.1],
  ArrowRight: [0.1, 0.1],
  ArrowUp: [0.1, 0.1],
  PageDown: [-1, -1],
  PageUp: [1, 1],
  "+": [0.25, -0.25],
  "-": [-0.5, 0.5],
};

/** @returns undefined for keys without a meaning here */
export function windowOfKey(key: string, { from, to }: Range, extent: Range): Range | undefined {
  const length = to - from;
  if (key === "Home") return { from: extent.from, to: extent.from + length };
  if (key === "End") return { from: extent.to - length, to: extent.to };
  const step = steps[key];
  if (!step) return undefined;
  const next = { from: from + step[0] * length, to: to + step[1] * length };
  return next.to - next.from < MIN_LENGTH ? { from, to } : keepWithin(next, extent);
}

/** A detected anomaly or a label, seconds. */
export interface Mark {
  readonly from: number;
  /** null while it lasts. */
  readonly to: number | null;
  /** Verdict; absent: not judged. */
  readonly anomaly?: boolean | undefined;
}

/** Seconds of the range that a training leaves out, by the rule of the server. */
export function secondsLeftOut(marks: readonly Mark[], { from, to }: Range): number {
  const episodes = marks.map(
    (mark): JudgedEpisode => ({
      startAt: 1000 * mark.from,
      endAt: mark.to === null ? null : 1000 * mark.to,
      feedback: mark.anomaly === undefined ? null : { anomaly: mark.anomaly },
      features: {},
      peak: {},
    }),
  );
  const { excluded } = markTraining(episodes, { fromAt: 1000 * from, toAt: 1000 * to });
  let [sum, end] = [0, 0];
  for (const { fromAt, toAt } of excluded.toSorted((a, b) => a.fromAt - b.fromAt)) {
    sum += Math.max(0, toAt - Math.max(fromAt, end));
    end = Math.max(end, toAt);
  }
  return sum / 1000;
}
