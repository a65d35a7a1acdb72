// Watches data sources: a failure is announced after a grace period, and its end with the first read that works.
import type { HookEvent } from "../core/anomaly/event.ts";
import type { TorusError } from "../core/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import {
  closeFailedSource,
  type FailedSource,
  isBucketNamed,
  listFailedSources,
  openFailedSource,
  renewFailedSource,
} from "../store/anomalies/failed-sources.ts";
import type { Store } from "../store/db/open.ts";

/** Failed reads in a row before a source counts as down. */
const MIN_FAILURES = 2;
const UNREAD = "no live model reads it any more";

interface SourceWatchDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** How long reads fail before it is announced, ms. */
  readonly graceMs: () => number;
  /** Live models that read a bucket. */
  readonly readersOf: (bucket: string) => readonly string[];
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
  readonly onError: (error: unknown, model: string | null) => void;
  /** @returns a fresh UUID */
  readonly newId: () => string;
}

interface Failing {
  readonly startedAt: number;
  failures: number;
  /** Present once it was announced. */
  row?: FailedSource;
  /** A change that is being recorded: further ones wait for the next read. */
  isRecording: boolean;
}

export class SourceWatch {
  readonly #failing = new Map<string, Failing>();

  constructor(private readonly deps: SourceWatchDeps) {}

  /** Reads what was announced before, by any node. */
  async start(): Promise<void> {
    for (const row of await listFailedSources(this.deps.store))
      if (!this.#failing.has(row.bucket))
        this.#failing.set(row.bucket, { startedAt: row.startedAt, failures: 0, row, isRecording: false });
  }

  /** To be called after every live read of a bucket that worked. */
  onSuccess(bucket: string): void {
    const failing = this.#failing.get(bucket);
    if (failing && !failing.isRecording) this.#end(bucket, failing);
  }

  /** To be called after every live read of a bucket that failed. */
  onFailure(bucket: string, model: string, { code, reason }: Pick<FailedSource, "code" | "reason">): void {
    if (!concernsSource(code)) return;
    const nowAt = this.deps.clock.now();
    const known = this.#failing.get(bucket);
    const failing = known ?? { startedAt: nowAt, failures: 0, isRecording: false };
    this.#failing.set(bucket, failing);
    failing.failures++;
    this.#renew(failing, { code, reason });
    const isDue = nowAt - failing.startedAt >= this.deps.graceMs() && failing.failures >= MIN_FAILURES;
    if (!isDue || failing.row || failing.isRecording) return;
    const { startedAt } = failing;
    const row = { bucket, episode: this.deps.newId(), model, startedAt, code, reason };
    const models = this.deps.readersOf(bucket);
    this.#record(failing, async () => {
      const describe = (found: FailedSource) => toEvent(found, "source_down", nowAt);
      failing.row = await openFailedSource(this.deps.store, { row, describe, models });
    });
  }

  /** What was announced shows the error of the last read. */
  #renew(failing: Failing, error: Pick<FailedSource, "code" | "reason">): void {
    const { row, isRecording } = failing;
    if (!row || isRecording || (row.code === error.code && row.reason === error.reason)) return;
    const renewed = { ...row, ...error };
    this.#record(failing, async () => {
      await renewFailedSource(this.deps.store, renewed);
      failing.row = renewed;
    });
  }

  /** Ends what concerns buckets that no live model reads any more. */
  forgetUnread(): void {
    for (const [bucket, failing] of this.#failing)
      if (!failing.isRecording && this.deps.readersOf(bucket).length === 0)
        this.#end(bucket, failing, UNREAD);
  }

  #end(bucket: string, failing: Failing, closedBy?: string): void {
    const { row } = failing;
    if (!row) return void this.#failing.delete(bucket);
    const event = toEvent(row, "source_up", this.deps.clock.now());
    this.#record(failing, async () => {
      if (closedBy !== UNREAD || (await this.#isUnread(bucket)))
        await closeFailedSource(this.deps.store, bucket, { ...event, ...(closedBy && { closedBy }) });
      this.#failing.delete(bucket);
    });
  }

  /** Whether no model of another node reads the bucket either. */
  async #isUnread(bucket: string): Promise<boolean> {
    const { store } = this.deps;
    return !store.engine.isShared || !(await isBucketNamed(store, bucket));
  }

  /** What cannot be recorded is tried again with the next read. */
  #record(failing: Failing, work: () => Promise<void>): void {
    failing.isRecording = true;
    void work()
      .then(this.deps.onEvents, (error) => this.deps.onError(error, null))
      .finally(() => (failing.isRecording = false));
  }
}

/** Whether an error says something about the source rather than about a model or this server. */
function concernsSource(code: string): boolean {
  return code.startsWith("bucket_") || code === ("deadline" satisfies TorusError["code"]);
}

function toEvent(
  { bucket, episode, model, startedAt, code, reason }: FailedSource,
  kind: "source_down" | "source_up",
  at: number,
): HookEvent {
  const isEnd = kind === "source_up";
  return {
    id: `${episode}:${isEnd ? "end" : "start"}`,
    kind,
    model,
    episode,
    at,
    startedAt,
    ...(isEnd && { durationMs: Math.max(0, at - startedAt), startSeverity: "critical" as const }),
    severity: "critical",
    features: {},
    source: { bucket, code, reason },
  };
}
