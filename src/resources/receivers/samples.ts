// Samples of pushed series, gathered into parts: fields named as their metrics, without a measurement.
import { MAX_INSTANT, type PartSize } from "../../buckets/line-protocol/index.ts";
import type { SampleBatch, SeriesName } from "../../core/series/samples.ts";
import type { SamplePart } from "./store-parts.ts";
import type { Tally } from "./tally.ts";

export class SampleGatherer {
  #series: SeriesName[] = [];
  #times: number[] = [];
  #values: number[] = [];
  #stale = new Set<number>();
  #size: PartSize;

  constructor(
    private readonly sizeNext: () => PartSize,
    private readonly tally: Tally,
  ) {
    this.#size = sizeNext();
  }

  /** @param at ms since the epoch @param value absent: a stale marker */
  add(series: SeriesName, at: number, value?: number): void {
    if (!(Math.abs(at) <= MAX_INSTANT)) {
      this.tally.refuse("time", 1, "a time is outside of the years 1677 to 2262");
      return;
    }
    if (value === undefined) this.#stale.add(this.#times.length);
    this.#series.push(series);
    this.#times.push(at);
    this.#values.push(value ?? 0);
  }

  get isFull(): boolean {
    return this.#times.length >= this.#size.values;
  }

  /** The parts that are full. */
  *full(): Generator<SamplePart> {
    while (this.isFull) {
      yield { samples: this.#take(this.#size.values) };
      this.#size = this.sizeNext();
    }
  }

  /** The last part, of those that `full` has left. */
  *rest(): Generator<SamplePart> {
    if (this.#times.length > 0) yield { samples: this.#take(this.#times.length) };
  }

  /** Takes the first samples. */
  #take(count: number): SampleBatch {
    const taken = { series: this.#series, times: this.#times, values: this.#values, stale: this.#stale };
    this.#stale = new Set([...taken.stale].filter((i) => i >= count).map((i) => i - count));
    this.#series = taken.series.splice(count);
    this.#times = taken.times.splice(count);
    this.#values = taken.values.splice(count);
    return taken;
  }
}
