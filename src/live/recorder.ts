// Group commit: evaluations that end close together are recorded in one transaction.
import type { Clock } from "../runtime/clock.ts";
import {
  type EvaluationRecord,
  type FailureRecord,
  recordAll,
  recordEvaluation,
  recordFailure,
} from "../store/anomalies/evaluations.ts";
import type { Store } from "../store/db/open.ts";

type EndRecord = EvaluationRecord | FailureRecord;

export interface RecorderDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Shortest time from one commit to the next, ms; 0, the default of the loop: each evaluation has its own. */
  readonly groupMs: number;
  /** Called for each record that is refused: its live row has changed since it was loaded. */
  readonly onRefused?: () => void;
}

interface PendingRecord {
  readonly record: EndRecord;
  readonly resolve: (isRecorded: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** After a pause a record is committed at once; those that follow within `groupMs` share the next commit. */
export class Recorder {
  readonly #waiting: PendingRecord[] = [];
  #clearTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(private readonly deps: RecorderDeps) {}

  /** @returns false where it is refused, see `recordEvaluation`. @throws TorusError `storage_full`; nothing has changed then */
  record(record: EndRecord): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
      if (!this.#clearTimer) this.#flush();
    });
  }

  /** Commits what waits, and from now on each record at once. */
  stop(): void {
    this.#isStopped = true;
    this.#flush();
  }

  #flush(): void {
    this.#clearTimer?.();
    this.#clearTimer = undefined;
    if (this.#waiting.length === 0) return;
    void this.#commit(this.#waiting.splice(0));
    const { clock, groupMs } = this.deps;
    if (groupMs > 0 && !this.#isStopped) this.#clearTimer = clock.setTimer(() => this.#flush(), groupMs);
  }

  async #commit(group: readonly PendingRecord[]): Promise<void> {
    const { store } = this.deps;
    if (group.length === 1) return this.#commitAlone(group[0]!);
    const records = group.map(({ record }) => record);
    const recorded = await recordAll(store, records).catch(() => undefined);
    for (const [i, waiting] of group.entries()) {
      // Nothing of the group was recorded: one by one, the failure of one does not concern the others.
      if (recorded) this.#settle(waiting, recorded[i]!);
      else await this.#commitAlone(waiting);
    }
  }

  #settle({ resolve }: PendingRecord, isRecorded: boolean): void {
    if (!isRecorded) this.deps.onRefused?.();
    resolve(isRecorded);
  }

  #commitAlone(waiting: PendingRecord): Promise<void> {
    const { store } = this.deps;
    const { record, reject } = waiting;
    const recorded =
      record.outcome === "failed" ? recordFailure(store, record) : recordEvaluation(store, record);
    return recorded.then((isRecorded) => this.#settle(waiting, isRecorded), reject);
  }
}
