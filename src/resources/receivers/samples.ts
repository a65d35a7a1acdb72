// Points of pushed series, gathered into parts: a field named as the metric, without a measurement.

import { MAX_INSTANT, type PartSize } from "../../buckets/line-protocol/index.ts";
import type { Point } from "../../core/series/query.ts";
import type { SeriesName } from "./labels.ts";
import type { Part } from "./store-parts.ts";
import type { Tally } from "./tally.ts";

export class PointGatherer {
  #points: Point[] = [];
  #size: PartSize;

  constructor(
    private readonly sizeNext: () => PartSize,
    private readonly tally: Tally,
  ) {
    this.#size = sizeNext();
  }

  /** @param at ms since the epoch @param value absent: a stale marker */
  add({ metric, tags }: SeriesName, at: number, value?: number): void {
    if (!(Math.abs(at) <= MAX_INSTANT))
      this.tally.refuse("time", 1, "a time is outside of the years 1677 to 2262");
    else if (value === undefined)
      this.#points.push({ at, fields: { [metric]: Number.NaN }, tags, special: "stale" });
    else if (!Number.isFinite(value))
      this.#points.push({ at, fields: { [metric]: value }, tags, special: "value" });
    else this.#points.push({ at, fields: { [metric]: value }, tags });
  }

  /** The parts that are full. */
  *full(): Generator<Part> {
    let from = 0;
    while (this.#points.length - from >= this.#size.values) {
      const to = from + this.#size.values;
      yield partOf(this.#points.slice(from, to));
      this.#size = this.sizeNext();
      from = to;
    }
    if (from > 0) this.#points = this.#points.slice(from);
  }

  /** The last part, of those that `full` has left. */
  *rest(): Generator<Part> {
    if (this.#points.length > 0) yield partOf(this.#points);
    this.#points = [];
  }
}

function partOf(points: readonly Point[]): Part {
  return { points: new Map([["", points]]) };
}
