// The line of reads before one bucket: who waits goes together, who is slow or fails goes alone.
import type { Bucket } from "../../buckets/kind.ts";
import { TorusError } from "../../core/errors.ts";
import type { Grid } from "../../core/series/grid.ts";
import { abortable } from "../../runtime/abortable.ts";
import type { Clock } from "../../runtime/clock.ts";
import { chooseGroup, combine, isCombinable, pick, type Wanted } from "./read-group.ts";

/** Reads of a bucket at once: what a data source has to bear. */
const AT_ONCE = 16;
/** After this long a read does not hold up those like it, and a combined one is given up for single ones. */
const PATIENCE_MS = 1000;
/** Reads remembered as slow or failed: with more, all are forgotten. */
const MAX_LONERS = 10_000;

/** One read that waits, and how it ends. */
export interface PendingRead extends Wanted {
  readonly signal: AbortSignal;
  readonly resolve: (grid: Grid) => void;
  readonly reject: (error: unknown) => void;
}

/** A read under way. */
interface InFlight {
  /** It has just begun: those like it wait for its end, and are combined meanwhile. */
  isYoung: boolean;
  /** What happens when it is young no more. */
  onOld: () => void;
}

export class ReadBatcher {
  readonly #waiting: PendingRead[] = [];
  /** Those that go alone, first. */
  readonly #alone: PendingRead[] = [];
  /** What was read slowly, or not at all, see `loneKeyOf`: it goes alone until that went well. */
  readonly #isolatedKeys = new Set<string>();
  /** What the young ones read, see `likenessOf`. */
  readonly #fresh = new Set<string>();
  #flying = 0;

  constructor(private readonly clock: Clock) {}

  /** Nothing waits, nothing is under way, nothing is to be remembered. */
  get isIdle(): boolean {
    return this.#flying + this.#waiting.length + this.#alone.length + this.#isolatedKeys.size === 0;
  }

  add(ask: PendingRead): void {
    const queue = isCombinable(ask) && !this.#isolatedKeys.has(loneKeyOf(ask)) ? this.#waiting : this.#alone;
    queue.push(ask);
    ask.signal.addEventListener("abort", () => this.#withdraw(ask), { once: true });
    if (ask.signal.aborted) this.#withdraw(ask);
    this.#serve();
  }

  #withdraw(ask: PendingRead): void {
    ask.reject(ask.signal.reason);
    for (const queue of [this.#waiting, this.#alone]) {
      const index = queue.indexOf(ask);
      if (index >= 0) queue.splice(index, 1);
    }
  }

  #serve(): void {
    while (this.#flying < AT_ONCE && this.#alone.length > 0) this.#flyAlone(this.#alone.shift()!);
    while (this.#flying < AT_ONCE) {
      const first = this.#waiting.find((ask) => !this.#fresh.has(likenessOf(ask)));
      if (!first) return;
      const group = chooseGroup([first, ...this.#waiting.filter((ask) => ask !== first)]);
      const others = this.#waiting.filter((ask) => !group.includes(ask));
      this.#waiting.splice(0, this.#waiting.length, ...others);
      this.#flyTogether(group);
    }
  }

  #flyAlone(ask: PendingRead): void {
    const flight: InFlight = { isYoung: true, onOld: () => {} };
    this.#watch(flight, this.#readAlone(ask, flight));
  }

  #flyTogether(group: readonly PendingRead[]): void {
    const likeness = likenessOf(group[0]!);
    this.#fresh.add(likeness);
    const flight: InFlight = { isYoung: true, onOld: () => this.#fresh.delete(likeness) };
    const read = group.length > 1 ? this.#readTogether(group, flight) : this.#readAlone(group[0]!, flight);
    this.#watch(flight, read);
  }

  #watch(flight: InFlight, read: Promise<void>): void {
    this.#flying++;
    const grow = () => {
      if (!flight.isYoung) return;
      flight.isYoung = false;
      flight.onOld();
    };
    const clearTimer = this.clock.setTimer(() => {
      grow();
      this.#serve();
    }, PATIENCE_MS);
    void read.then(() => {
      clearTimer();
      grow();
      this.#flying--;
      this.#serve();
    });
  }

  async #readAlone(ask: PendingRead, flight: InFlight): Promise<void> {
    const { bucket, query, signal, resolve, reject } = ask;
    const key = loneKeyOf(ask);
    try {
      resolve(await abortable(readFrom(bucket, query, signal), signal));
      if (flight.isYoung) this.#isolatedKeys.delete(key);
      else this.#remember(key);
    } catch (error) {
      this.#remember(key);
      reject(error);
    }
  }

  /** Any failure is looked for in each read alone: it belongs to one of them. */
  async #readTogether(group: readonly PendingRead[], flight: InFlight): Promise<void> {
    const controller = new AbortController();
    const leave = () => {
      if (group.every(({ signal }) => signal.aborted)) controller.abort(group[0]!.signal.reason);
    };
    const { onOld } = flight;
    flight.onOld = () => {
      onOld();
      controller.abort(new TorusError("deadline", "the combined read took too long"));
    };
    for (const { signal } of group) signal.addEventListener("abort", leave, { once: true });
    try {
      const query = combine(group);
      const whole = await abortable(readFrom(group[0]!.bucket, query, controller.signal), controller.signal);
      for (const ask of group) ask.resolve(pick(whole, query, ask));
    } catch {
      this.#alone.push(...group.filter(({ signal }) => !signal.aborted));
    } finally {
      flight.onOld = onOld;
      for (const { signal } of group) signal.removeEventListener("abort", leave);
    }
  }

  #remember(key: string): void {
    if (this.#isolatedKeys.size >= MAX_LONERS) this.#isolatedKeys.clear();
    this.#isolatedKeys.add(key);
  }
}

/** A bucket may also throw before there is a promise. */
async function readFrom(bucket: Bucket, ...args: Parameters<Bucket["read"]>) {
  return bucket.read(...args);
}

/** Reads that are alike can be combined. */
function likenessOf({ query: { intervalMs, range } }: PendingRead): string {
  return `${intervalMs} ${range.fromAt} ${range.toAt}`;
}

/** What makes a reader slow is what it reads, not when. */
function loneKeyOf({ query }: PendingRead): string {
  return JSON.stringify([query.intervalMs, query.features]);
}
