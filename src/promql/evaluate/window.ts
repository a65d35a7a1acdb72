// Windows: the samples of a range selector or a subquery at one step, both edges included as in Prometheus 2.

export interface Window {
  /** ms since the epoch */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Edges, ms since the epoch. */
  readonly startAt: number;
  readonly endAt: number;
  /** Time of evaluation, ms since the epoch. */
  readonly stepAt: number;
}

/** A function of one window, not empty. @param params its scalar arguments. @returns undefined: no sample */
export type WindowFunction = (window: Window, ...params: readonly number[]) => number | undefined;

/** How samples become windows. */
export interface WindowPlan {
  readonly rangeMs: number;
  readonly offsetMs: number;
  /** In place of the time of evaluation, ms since the epoch. */
  readonly fixed: number | undefined;
}

/** Finds the window of ascending instants, one after the other. */
export class WindowCursor {
  #from = 0;
  #to = 0;

  constructor(
    private readonly samples: Pick<Window, "times" | "values">,
    private readonly plan: WindowPlan,
  ) {}

  /** @returns undefined where the window is empty */
  at(stepAt: number): Window | undefined {
    const { times, values } = this.samples;
    const { rangeMs, offsetMs, fixed } = this.plan;
    const endAt = (fixed ?? stepAt) - offsetMs;
    const startAt = endAt - rangeMs;
    while (this.#to < times.length && times[this.#to]! <= endAt) this.#to++;
    while (this.#from < this.#to && times[this.#from]! < startAt) this.#from++;
    if (this.#from === this.#to) return undefined;
    const [from, to] = [this.#from, this.#to];
    return { times: times.subarray(from, to), values: values.subarray(from, to), startAt, endAt, stepAt };
  }
}
