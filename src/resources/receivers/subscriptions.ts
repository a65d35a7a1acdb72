// Subscriptions of buckets whose source pushes: each lasts as long as its bucket and follows changes of the settings.
import { subscribeBucket } from "../../buckets/index.ts";
import type { Bucket, PushSink, Reading, Subscription } from "../../buckets/kind.ts";
import type { PartSize } from "../../buckets/line-protocol/index.ts";
import type { Change } from "../../core/change.ts";
import { TorusError } from "../../core/errors.ts";
import type { BucketSettings } from "../../core/model/bucket-settings.ts";
import type { Clock } from "../../runtime/clock.ts";
import { sleep } from "../../runtime/deadline.ts";
import { findBucket, listBuckets } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import { SourceReports } from "./source-reports.ts";
import { type PointPart, storeParts } from "./store-parts.ts";
import { type Received, Tally } from "./tally.ts";

const [MIN_DELAY_MS, MAX_DELAY_MS] = [500, 30_000];
const MAX_SOURCE = 200;

/** A change of a subscription; `failing` is reported once, until it is `back`. */
export interface SubscriptionChange {
  readonly bucket: string;
  readonly state: "failing" | "back";
  /** Of a failing one. */
  readonly code?: string;
  readonly reason?: string;
}

export interface RefusedMessage {
  readonly bucket: string;
  /** As in a topic. */
  readonly source: string;
  readonly reason: string;
}

interface SubscriptionDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
  /** Series that a bucket may have. */
  readonly maxSeries: () => number;
  readonly onReceived?: (received: Received) => void;
  readonly onChange?: (change: SubscriptionChange) => void;
  readonly onRefused?: (message: RefusedMessage) => void;
  readonly onError: (error: unknown, bucket: string) => void;
}

interface Entry {
  readonly subscription: Subscription;
  readonly settings: BucketSettings;
}

export class Subscriptions {
  readonly #byBucket = new Map<string, Entry>();
  #unsubscribe: (() => void) | undefined;
  /** Changes are applied one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SubscriptionDeps) {}

  /** Subscribes all buckets; connections follow in the background. */
  async start(): Promise<void> {
    const { store } = this.deps;
    this.#unsubscribe = store.changes.subscribe((change) => {
      const name = changedBucket(change);
      if (name !== undefined) this.#refreshLater(name);
    });
    for (const { name, settings } of await listBuckets(store)) this.#begin(name, settings);
  }

  /** Ends all; sources keep what follows. */
  async stop(): Promise<void> {
    this.#unsubscribe?.();
    await this.#work;
    const entries = [...this.#byBucket.values()];
    this.#byBucket.clear();
    await Promise.all(entries.map(({ subscription }) => subscription.close()));
  }

  #refreshLater(name: string): void {
    this.#work = this.#work
      .then(() => this.#refresh(name))
      .catch((error: unknown) => this.deps.onError(error, name));
  }

  async #refresh(name: string): Promise<void> {
    const row = await findBucket(this.deps.store, name);
    const known = this.#byBucket.get(name);
    if (row && known && Bun.deepEquals(row.settings, known.settings)) return;
    this.#byBucket.delete(name);
    await known?.subscription.release(row?.settings);
    if (row) this.#begin(name, row.settings);
  }

  #begin(name: string, settings: BucketSettings): void {
    const subscription = subscribeBucket(settings, this.#sinkOf(name));
    if (subscription) this.#byBucket.set(name, { subscription, settings });
  }

  #sinkOf(bucket: string): PushSink {
    const { clock } = this.deps;
    let isFailing = false;
    const reports = new SourceReports(clock);
    return {
      clock,
      take: async (source, reading, signal) => {
        const tally = await this.#store(bucket, reading, signal);
        const shown = source.slice(0, MAX_SOURCE);
        if (tally.reported === 0 || !reports.take(shown)) return;
        const reason = tally.messages[0] ?? [...tally.refused.keys()].join(", ");
        this.deps.onRefused?.({ bucket, source: shown, reason });
      },
      onUp: () => {
        if (isFailing) this.#report({ bucket, state: "back" });
        isFailing = false;
      },
      onDown: (error) => {
        if (!isFailing) this.#report({ bucket, state: "failing", ...describe(error) });
        isFailing = true;
      },
    };
  }

  #report(change: SubscriptionChange): void {
    const { bucket, state, reason } = change;
    const error = reason === undefined ? {} : { error: reason };
    this.deps.store.changes.publish([{ type: "bucket", bucket, step: state, ...error }]);
    this.deps.onChange?.(change);
  }

  async #store(bucket: string, reading: Reading, signal: AbortSignal): Promise<Tally> {
    const tally = new Tally();
    if ("isStale" in reading) tally.refuse("stale", 1);
    else if (reading.mistake !== undefined) tally.refuse("malformed", 1, reading.mistake);
    const stored =
      "points" in reading ? await this.#write(bucket, { points: reading.points, tally, signal }) : 0;
    this.deps.onReceived?.({ protocol: "mqtt", stored, refused: tally.refused });
    return tally;
  }

  /** Repeats failures that pass: the source keeps what is not acknowledged. */
  async #write(name: string, { points, tally, signal }: Write): Promise<number> {
    const { clock, openBucket, maxSeries } = this.deps;
    for (let delayMs = MIN_DELAY_MS; ; delayMs = Math.min(MAX_DELAY_MS, delayMs * 2)) {
      signal.throwIfAborted();
      try {
        const options = { maxSeries: maxSeries() };
        const result = await storeParts(
          await openBucket(name),
          (sizeNext) => partsOf(points, sizeNext),
          options,
        );
        tally.refuse("expired", result.expired, "is older than the retention of the bucket");
        tally.refuse("rejected", result.rejected, result.messages[0]);
        tally.refuse("series", result.excess, "is of a new series beyond server.limits.bucket_series");
        return result.stored;
      } catch (error) {
        this.deps.onError(error, name);
        if (!(error instanceof TorusError)) {
          // A bug: the message would fail again, and hold up all that follow.
          tally.refuse("rejected", 1, "could not be stored; the log has the details");
          return 0;
        }
        await sleep(delayMs, signal, clock);
      }
    }
  }
}

type Points = Extract<Reading, { readonly points: unknown }>["points"];

/** A message of lines may hold more points than one part. */
function* partsOf(points: Points, sizeNext: () => PartSize): Generator<PointPart> {
  for (const [measurement, list] of points)
    for (let from = 0; from < list.length; ) {
      const to = from + sizeNext().values;
      yield { points: new Map([[measurement, list.slice(from, to)]]) };
      from = to;
    }
}

interface Write {
  /** By measurement. */
  readonly points: Points;
  readonly tally: Tally;
  readonly signal: AbortSignal;
}

/** The bucket whose settings have changed. */
function changedBucket(change: Change): string | undefined {
  if (change.type !== "bucket" || change.step === "failing" || change.step === "back") return undefined;
  return change.bucket;
}

function describe(error: unknown): { readonly code: string; readonly reason: string } {
  if (error instanceof TorusError) return { code: error.code, reason: error.message };
  return { code: "internal", reason: error instanceof Error ? error.message : String(error) };
}
