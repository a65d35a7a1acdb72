// Limits of a query: series, samples read, and values computed, so that none takes the memory of the server.
import { executionError } from "../errors.ts";

export interface QueryLimits {
  /** Series of all selectors together. */
  readonly series: number;
  /** Samples of all selectors together. */
  readonly samples: number;
  /** Values of all intermediate results together: series times steps. */
  readonly values: number;
}

export class Budget {
  #series = 0;
  #samples = 0;
  #values = 0;

  constructor(private readonly limits: QueryLimits) {}

  /** @throws PromqlError `execution` */
  takeSeries(count: number): void {
    this.#series += count;
    if (this.#series > this.limits.series)
      throw executionError(
        `the query selects more than ${this.limits.series} series: add labels to its selectors`,
      );
  }

  /** @throws PromqlError `execution` */
  takeSamples(count: number): void {
    this.#samples += count;
    if (this.#samples > this.limits.samples)
      throw executionError(
        `the query reads more than ${this.limits.samples} samples: choose a shorter range, or add labels to its selectors`,
      );
  }

  /** @throws PromqlError `execution` */
  takeValues(series: number, steps: number): void {
    this.#values += series * steps;
    if (this.#values > this.limits.values)
      throw executionError(
        `the query computes more than ${this.limits.values} values: choose a longer step, or aggregate earlier`,
      );
  }
}
