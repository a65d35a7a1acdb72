// Decomposition of a history into seasons and line segments, estimated in turns; pure.
import type { Cycle } from "../season/cycles.ts";
import { firstProfile, type Profile, profileOf } from "../season/profile.ts";
import { lineAt, type Segment, type Structure, segmentsOf } from "./segments.ts";

/** Rounds after the first estimate. */
const ROUNDS = 2;

export interface Decomposition extends Structure {
  /** Sum of the seasons at an index, future ones included. */
  readonly seasonAt: (i: number) => number;
  /** The column without its seasons. */
  readonly level: Float64Array;
}

/**
 * Decomposes a column.
 * @param cycles its seasons, ascending; each at least twice in the column
 * @param leastSpan indices of the shortest segment that tells a slope
 */
export function decompose(column: Float64Array, cycles: readonly Cycle[], leastSpan = 0): Decomposition {
  let profiles: Profile[] = [];
  for (const cycle of cycles) profiles.push(firstProfile(without(column, profiles), cycle));
  let level = without(column, profiles);
  let structure = segmentsOf(level, leastSpan);
  for (let round = 0; round < ROUNDS && cycles.length > 0; round++) {
    const flat = linesOf(structure.segments, column.length);
    for (let i = 0; i < flat.length; i++) flat[i] = column[i]! - flat[i]!;
    for (const [k, cycle] of cycles.entries()) {
      const others = profiles.filter((_, other) => other !== k);
      profiles = profiles.with(k, profileOf(without(flat, others), cycle));
    }
    level = without(column, profiles);
    structure = segmentsOf(level, leastSpan);
    if (structure.segments.length < 2) break;
  }
  return { ...structure, level, seasonAt: (i) => profiles.reduce((sum, profile) => sum + profile.at(i), 0) };
}

/** The part of the values before an index: its segments are those that they tell. */
export function partUntil({ until, level, seasonAt }: Decomposition, end: number): Decomposition {
  return { ...until(end), level: level.subarray(0, end), seasonAt };
}

function without(column: Float64Array, profiles: readonly Profile[]): Float64Array {
  if (profiles.length === 0) return column;
  const rest = column.slice();
  for (const { at } of profiles) for (let i = 0; i < rest.length; i++) rest[i]! -= at(i);
  return rest;
}

/** The lines of the segments over a column; 0 without segments. */
export function linesOf(segments: readonly Segment[], length: number): Float64Array {
  const lines = new Float64Array(length);
  for (const [k, segment] of segments.entries()) {
    const end = segments[k + 1]?.from ?? length;
    for (let i = segment.from; i < end; i++) lines[i] = lineAt(segment, i);
  }
  return lines;
}

/** Mean distance of the values of a column from what its lines and seasons say. */
export function meanDistance({ segments, seasonAt }: Decomposition, column: Float64Array): number {
  const lines = linesOf(segments, column.length);
  const sizes = column.map((value, i) => Math.abs(value - lines[i]! - seasonAt(i))).filter(Number.isFinite);
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}
