// Times of arrival of messages: each message of a topic has one of its own, even where several come in one millisecond.

/** A burst after an outage runs this far ahead of the clock; beyond, messages of one millisecond are one point. */
const MAX_AHEAD_MS = 60_000;
/** Topics in memory; beyond, all are dropped. */
const MAX_TOPICS = 100_000;

export class ArrivalTimes {
  readonly #last = new Map<string, number>();

  /** @param nowAt ms since the epoch @returns later than the one before of the topic, unless the clock was set back */
  take(topic: string, nowAt: number): number {
    const next = (this.#last.get(topic) ?? Number.NEGATIVE_INFINITY) + 1;
    const at = next > nowAt && next <= nowAt + MAX_AHEAD_MS ? next : nowAt;
    if (this.#last.size >= MAX_TOPICS && !this.#last.has(topic)) this.#last.clear();
    this.#last.set(topic, at);
    return at;
  }
}
