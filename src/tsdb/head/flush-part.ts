// Part of a flush: fields of a generation that become blocks within some milliseconds, the last one perhaps in part.
import { type FieldPoints, slicePoints } from "../block.ts";
import type { Generation } from "./generation.ts";

/** Points of a field that become blocks at once; each block is a few hundred. */
const SLICE_POINTS = 8192;

/**
 * Fields of a generation until some time has passed, without expired points; a large one takes several parts. Meanwhile
 * its first points are both in blocks and here, which readers see as the same points.
 */
export function takePart(generation: Generation, cutoffAt: number, ms: number) {
  let [end, rest, hasExpired] = [generation.flushed, generation.rest, false];
  function* fields(): Generator<[fieldId: number, points: FieldPoints]> {
    const startedAt = performance.now();
    while (end < generation.fieldIds.length) {
      const fieldId = generation.fieldIds[end]!;
      const points = rest?.points ?? generation.pointsOf(fieldId, { fromAt: cutoffAt, toAt: Infinity });
      const from = rest?.from ?? 0;
      const to = Math.min(from + SLICE_POINTS, points?.times.length ?? 0);
      if (points) yield [fieldId, slicePoints(points, from, to)];
      else hasExpired = true;
      const isWhole = !points || to === points.times.length;
      rest = isWhole ? undefined : { points, from: to };
      if (isWhole) end++;
      if (performance.now() - startedAt > ms) return;
    }
  }
  return { fields, end: () => end, rest: () => rest, hasExpired: () => hasExpired };
}
