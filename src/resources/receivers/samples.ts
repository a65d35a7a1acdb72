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

  /** @param at ms since the epoch */
  add({ metric, tags }: SeriesName, at: number, value: number): void {
    if (!Number.isFinite(value)) this.tally.refuse("value", 1);
    else if (!(Math.abs(at) <= MAX_INSTANT))
      this.tally.refuse("time", 1, "a time is outside of the years 1677 to 2262");
    else this.#points.push({ at, fields: { [metric]: value }, tags });
  }

  /** The next part, where it is full. */
  *full(): Generator<Part> {
    if (this.#points.length < this.#size.values) return;
    yield* this.rest();
    this.#size = this.sizeNext();
  }

  /** The last part. */
  *rest(): Generator<Part> {
    if (this.#points.length === 0) return;
    const points = this.#points;
    this.#points = [];
    yield { points: new Map([["", points]]) };
  }
}
