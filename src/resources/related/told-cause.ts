// Causes that notifications tell: of the first anomalies of a minute, since a storm must not read scores for each.
import type { HookEvent } from "../../core/anomaly/event.ts";
import { nameMoved } from "../../core/related/words.ts";
import { MINUTE_MS } from "../../core/time/time.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Related } from "./index.ts";

/** Look-ups of a minute. */
const MAX_PER_MINUTE = 20;
/** Confidence from which a cause is told. */
const LEAST_CONFIDENCE = 0.3;
const REASONS = 2;

interface CauseDeps {
  readonly related: Pick<Related, "ofAnomaly">;
  readonly clock: Pick<Clock, "now">;
}

export class ToldCauses {
  #minute = 0;
  #count = 0;

  constructor(private readonly deps: CauseDeps) {}

  /** `latency of db (service=db): moved 3 min before it`; undefined where nothing is a probable cause, or too many ask. */
  async find({ kind, test, episode }: HookEvent): Promise<string | undefined> {
    if (kind !== "anomaly_start" || test || !this.#take()) return undefined;
    // Without recorded scores, or an anomaly that is gone, the notification goes out as it is.
    const found = await this.deps.related.ofAnomaly(episode, { limit: 1 }).catch(() => undefined);
    const first = found?.related[0];
    if (!first || first.confidence < Math.max(LEAST_CONFIDENCE, found?.anomaly?.confidence ?? 0))
      return undefined;
    const reasons = first.reasons.slice(0, REASONS).join(", ");
    return reasons ? `${nameMoved(first)}: ${reasons}` : nameMoved(first);
  }

  #take(): boolean {
    const minute = Math.floor(this.deps.clock.now() / MINUTE_MS);
    if (minute !== this.#minute) [this.#minute, this.#count] = [minute, 0];
    return this.#count++ < MAX_PER_MINUTE;
  }
}
