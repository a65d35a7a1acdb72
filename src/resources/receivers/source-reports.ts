// Reports of refused messages of one bucket: each source once an hour, and some of them a minute.
import type { Clock } from "../../runtime/clock.ts";

const AGAIN_MS = 3_600_000;
/** Sources that are remembered; beyond, all are forgotten. */
const MAX_SOURCES = 1000;
const [MINUTE_MS, PER_MINUTE] = [60_000, 10];

export class SourceReports {
  readonly #reportedAt = new Map<string, number>();
  #minuteAt = Number.NEGATIVE_INFINITY;
  #inMinute = 0;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Whether a refusal of this source is to be reported now. */
  take(source: string): boolean {
    const nowAt = this.clock.now();
    if (nowAt - (this.#reportedAt.get(source) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return false;
    if (nowAt - this.#minuteAt >= MINUTE_MS) [this.#minuteAt, this.#inMinute] = [nowAt, 0];
    if (this.#inMinute >= PER_MINUTE) return false;
    this.#inMinute++;
    if (this.#reportedAt.size >= MAX_SOURCES) this.#reportedAt.clear();
    this.#reportedAt.set(source, nowAt);
    return true;
  }
}
