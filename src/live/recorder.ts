// Recording in groups: a commit waits for the disk, so evaluations that end close together share one.
import type { Clock } from "../runtime/clock.ts";
import {
  type EvaluationRecord,
  type FailureRecord,
  recordEvaluation,
  recordFailure,
  recordTogether,
} from "../store/anomalies/evaluations.ts";
import type { Store } from "../store/db/open.ts";

type EndRecord = EvaluationRecord | FailureRecord;

export interface RecorderDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Shortest time from one commit to the next, ms; 0: each evaluation has its own. */
  readonly groupMs: number;
}

interface Waiting {
  readonly record: EndRecord;
  readonly resolve: (isRecorded: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** One who comes after a pause is recorded at once; those who come soon after wait for one another. */
export class Recorder {
  readonly #waiting: Waiting[] = [];
  #clearTimer: (() => void) | undefined;
  #stopped = false;

  constructor(private readonly deps: RecorderDeps) {}

  /** @returns false where it came too late to count. @throws TorusError `storage_full`; nothing was changed then */
  record(record: EndRecord): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
      if (!this.#clearTimer) this.#flush();
    });
  }

  /** Records those that wait, and from now on everyone at once. */
  stop(): void {
    this.#stopped = true;
    this.#flush();
  }

  #flush(): void {
    this.#clearTimer?.();
    this.#clearTimer = undefined;
    if (this.#waiting.length === 0) return;
    void this.#commit(this.#waiting.splice(0));
    const { clock, groupMs } = this.deps;
    if (groupMs > 0 && !this.#stopped) this.#clearTimer = clock.setTimer(() => this.#flush(), groupMs);
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const { store } = this.deps;
    if (group.length === 1) return this.#commitAlone(group[0]!);
    const records = group.map(({ record }) => record);
    const recorded = await recordTogether(store, records).catch(() => undefined);
    for (const [i, waiting] of group.entries()) {
      // Nothing of the group was recorded: each tries for itself, so that the trouble of one is its own.
      if (recorded) waiting.resolve(recorded[i]!);
      else await this.#commitAlone(waiting);
    }
  }

  #commitAlone({ record, resolve, reject }: Waiting): Promise<void> {
    const { store } = this.deps;
    const recorded =
      record.outcome === "failed" ? recordFailure(store, record) : recordEvaluation(store, record);
    return recorded.then(resolve, reject);
  }
}
