// Windows: the samples of a range selector or a subquery at one step, both edges included as in Prometheus 2.

/** The samples from index `from` (inclusive) to `to` (exclusive) of a series. */
export interface Window {
  /** ms since the epoch */
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly from: number;
  readonly to: number;
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
  /** One for all, as there are as many as samples in the result. */
  readonly #window: { -readonly [Key in keyof Window]: Window[Key] };

  constructor(
    { times, values }: Pick<Window, "times" | "values">,
    private readonly plan: WindowPlan,
  ) {
    this.#window = { times, values, from: 0, to: 0, startAt: 0, endAt: 0, stepAt: 0 };
  }

  /** @returns the window, up to the next call; undefined where it is empty */
  at(stepAt: number): Window | undefined {
    const window = this.#window;
    const { times } = window;
    const { rangeMs, offsetMs, fixed } = this.plan;
    const endAt = (fixed ?? stepAt) - offsetMs;
    const startAt = endAt - rangeMs;
    let { from, to } = window;
    while (to < times.length && times[to]! <= endAt) to++;
    while (from < to && times[from]! < startAt) from++;
    window.from = from;
    window.to = to;
    window.startAt = startAt;
    window.endAt = endAt;
    window.stepAt = stepAt;
    return from === to ? undefined : window;
  }
}

/** The samples of a window alone. */
export function samplesIn({ times, values, from, to }: Window): Pick<Window, "times" | "values"> {
  return { times: times.subarray(from, to), values: values.subarray(from, to) };
}
