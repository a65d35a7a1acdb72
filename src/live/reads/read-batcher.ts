// Coalesces concurrent reads of one bucket; slow or failing reads are isolated.
import type { Bucket } from "../../buckets/kind.ts";
import { TorusError } from "../../core/errors.ts";
import type { Grid } from "../../core/series/grid.ts";
import { abortable } from "../../runtime/abortable.ts";
import type { Clock } from "../../runtime/clock.ts";
import { chooseGroup, combine, isCombinable, pick, type ReadRequest } from "./read-group.ts";

/** Reads of a bucket at the same time. */
const MAX_CONCURRENT_READS = 16;
/** A longer read counts as slow; a combined one is aborted then, and its parts are read alone. */
const SLOW_MS = 1000;
/** Isolation keys in memory; beyond, all are dropped. */
const MAX_ISOLATED_KEYS = 10_000;

/** A read that waits, and the promise it settles. */
export interface PendingRead extends ReadRequest {
  readonly signal: AbortSignal;
  readonly resolve: (grid: Grid) => void;
  readonly reject: (error: unknown) => void;
}

/** A read under way. */
interface InFlight {
  /** Shorter than `SLOW_MS` so far: reads of the same group wait for its end, to be combined. */
  isFresh: boolean;
  /** Called once when it ends or becomes slow. */
  onStale: () => void;
}

export class ReadBatcher {
  readonly #waiting: PendingRead[] = [];
  /** Reads that are not combined; they go first. */
  readonly #isolated: PendingRead[] = [];
  /** Keys of reads that were slow or failed, see `isolationKeyOf`: isolated until one succeeds in time. */
  readonly #isolatedKeys = new Set<string>();
  /** Groups of fresh reads under way, see `groupKeyOf`. */
  readonly #fresh = new Set<string>();
  #running = 0;

  constructor(private readonly clock: Clock) {}

  /** Whether it can be dropped: nothing waits, runs or is isolated. */
  get isIdle(): boolean {
    return this.#running + this.#waiting.length + this.#isolated.length + this.#isolatedKeys.size === 0;
  }

  add(read: PendingRead): void {
    const isIsolated = !isCombinable(read) || this.#isolatedKeys.has(isolationKeyOf(read));
    (isIsolated ? this.#isolated : this.#waiting).push(read);
    read.signal.addEventListener("abort", () => this.#withdraw(read), { once: true });
    if (read.signal.aborted) this.#withdraw(read);
    this.#startAll();
  }

  #withdraw(read: PendingRead): void {
    read.reject(read.signal.reason);
    for (const queue of [this.#waiting, this.#isolated]) {
      const index = queue.indexOf(read);
      if (index >= 0) queue.splice(index, 1);
    }
  }

  /** Starts reads while there is room: isolated ones first, then groups of which none is fresh. */
  #startAll(): void {
    while (this.#running < MAX_CONCURRENT_READS && this.#isolated.length > 0)
      this.#startIsolated(this.#isolated.shift()!);
    while (this.#running < MAX_CONCURRENT_READS) {
      const first = this.#waiting.find((read) => !this.#fresh.has(groupKeyOf(read)));
      if (!first) return;
      const group = chooseGroup([first, ...this.#waiting.filter((read) => read !== first)]);
      const others = this.#waiting.filter((read) => !group.includes(read));
      this.#waiting.splice(0, this.#waiting.length, ...others);
      this.#startGroup(group);
    }
  }

  #startIsolated(read: PendingRead): void {
    const flight: InFlight = { isFresh: true, onStale: () => {} };
    this.#track(flight, this.#readAlone(read, flight));
  }

  #startGroup(group: readonly PendingRead[]): void {
    const [first] = group;
    const key = groupKeyOf(first!);
    this.#fresh.add(key);
    const flight: InFlight = { isFresh: true, onStale: () => this.#fresh.delete(key) };
    this.#track(
      flight,
      group.length > 1 ? this.#readCombined(group, flight) : this.#readAlone(first!, flight),
    );
  }

  #track(flight: InFlight, read: Promise<void>): void {
    this.#running++;
    const expire = () => {
      if (!flight.isFresh) return;
      flight.isFresh = false;
      flight.onStale();
    };
    const clearTimer = this.clock.setTimer(() => {
      expire();
      this.#startAll();
    }, SLOW_MS);
    void read.then(() => {
      clearTimer();
      expire();
      this.#running--;
      this.#startAll();
    });
  }

  async #readAlone(read: PendingRead, flight: InFlight): Promise<void> {
    const { bucket, query, signal, resolve, reject } = read;
    const key = isolationKeyOf(read);
    try {
      resolve(await abortable(readFrom(bucket, query, signal), signal));
      if (flight.isFresh) this.#isolatedKeys.delete(key);
      else this.#isolate(key);
    } catch (error) {
      this.#isolate(key);
      reject(error);
    }
  }

  /** After a failure each part is read alone: the failure belongs to one of them. */
  async #readCombined(group: readonly PendingRead[], flight: InFlight): Promise<void> {
    const controller = new AbortController();
    const onAbort = () => {
      if (group.every(({ signal }) => signal.aborted)) controller.abort(group[0]!.signal.reason);
    };
    const { onStale } = flight;
    flight.onStale = () => {
      onStale();
      controller.abort(new TorusError("deadline", "the combined read took too long"));
    };
    for (const { signal } of group) signal.addEventListener("abort", onAbort, { once: true });
    try {
      const query = combine(group);
      const whole = await abortable(readFrom(group[0]!.bucket, query, controller.signal), controller.signal);
      for (const read of group) read.resolve(pick(whole, query, read));
    } catch {
      this.#isolated.push(...group.filter(({ signal }) => !signal.aborted));
    } finally {
      flight.onStale = onStale;
      for (const { signal } of group) signal.removeEventListener("abort", onAbort);
    }
  }

  #isolate(key: string): void {
    if (this.#isolatedKeys.size >= MAX_ISOLATED_KEYS) this.#isolatedKeys.clear();
    this.#isolatedKeys.add(key);
  }
}

/** A bucket may also throw before it returns a promise. */
async function readFrom(bucket: Bucket, ...args: Parameters<Bucket["read"]>) {
  return bucket.read(...args);
}

/** Reads with the same key can be combined. */
function groupKeyOf({ query: { intervalMs, range } }: PendingRead): string {
  return `${intervalMs} ${range.fromAt} ${range.toAt}`;
}

/** Independent of the range: features make a read slow, not its time. */
function isolationKeyOf({ query }: PendingRead): string {
  return JSON.stringify([query.intervalMs, query.features]);
}
