// Tally of one push: points stored, and points refused by reason, with the first messages.

/** Reasons to refuse points, as the metric `torus_refused_points_total` has them. */
export type RefusalReason =
  | "malformed"
  /** Name of the metric. */
  | "name"
  | "label"
  | "time"
  /** Messages whose values are of an unknown time. */
  | "stale"
  /** Kinds of points that are not supported. */
  | "kind"
  /** Beyond the series that a push or a bucket may have. */
  | "series"
  | "expired"
  | "rejected";

export type Protocol = "lines" | "remote_write" | "otlp" | "mqtt";

/** Outcome of a push, for metrics. */
export interface Received {
  readonly protocol: Protocol;
  readonly stored: number;
  readonly refused: ReadonlyMap<RefusalReason, number>;
}

/** What is left out by design: no sender has to hear of it. */
const unreported: ReadonlySet<RefusalReason> = new Set<RefusalReason>(["stale"]);
const MAX_MESSAGES = 10;

export class Tally {
  readonly refused = new Map<RefusalReason, number>();
  readonly messages: string[] = [];
  #reported = 0;

  /** Counts points; a message once. */
  refuse(reason: RefusalReason, count: number, message?: string): void {
    if (count === 0) return;
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + count);
    if (!unreported.has(reason)) this.#reported += count;
    if (message === undefined || this.messages.length >= MAX_MESSAGES || this.messages.includes(message))
      return;
    this.messages.push(message);
  }

  /** Points that the sender must hear of. */
  get reported(): number {
    return this.#reported;
  }
}
