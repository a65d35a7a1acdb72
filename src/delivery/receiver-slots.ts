// Concurrency slots per receiver: receivers that hang use a bounded share, so the others are notified at once.

/** Deliveries under way at once, and how many of them may be retries or go to receivers that hang. */
const MAX_SLOTS = 128;
const MAX_SUSPECT_SLOTS = 64;
/** Per receiver, by its health. */
const SLOTS_OF = { unknown: 2, answering: 8, hanging: 1 } as const;
/** A failed attempt of at least this length counts as hanging, because it kept a slot from others. */
const HANGING_MS = 1000;

type Health = keyof typeof SLOTS_OF;

/** One delivery under way. */
export interface Slot {
  /** To be called once. @param failed whether the receiver did not answer as it should */
  release(result: { readonly failed: boolean; readonly durationMs: number }): void;
}

export class ReceiverSlots {
  readonly #health = new Map<string, Health>();
  readonly #used = new Map<string, number>();
  #total = 0;
  #suspect = 0;

  /** Free slots for first attempts, or for retries. */
  free(retries: boolean): number {
    const free = MAX_SLOTS - this.#total;
    return retries ? Math.min(free, MAX_SUSPECT_SLOTS - this.#suspect) : free;
  }

  /** @returns undefined where the receiver has no free slot */
  take(receiver: string, retry: boolean): Slot | undefined {
    const isSuspect = retry || this.#healthOf(receiver) === "hanging";
    if (this.free(isSuspect) <= 0 || this.#isFull(receiver)) return undefined;
    this.#count(receiver, 1, isSuspect);
    return {
      release: ({ failed, durationMs }) => {
        this.#count(receiver, -1, isSuspect);
        const isHanging = failed && durationMs >= HANGING_MS;
        this.#health.set(receiver, isHanging ? "hanging" : "answering");
      },
    };
  }

  /** Receivers without a free slot. */
  listFull(): string[] {
    const full = [...this.#used.keys()].filter((receiver) => this.#isFull(receiver));
    if (this.free(true) > 0) return full;
    const hanging = [...this.#health].filter(([, health]) => health === "hanging");
    return [...new Set([...full, ...hanging.map(([receiver]) => receiver)])];
  }

  #healthOf(receiver: string): Health {
    return this.#health.get(receiver) ?? "unknown";
  }

  #isFull(receiver: string): boolean {
    return (this.#used.get(receiver) ?? 0) >= SLOTS_OF[this.#healthOf(receiver)];
  }

  #count(receiver: string, change: number, isSuspect: boolean): void {
    const used = (this.#used.get(receiver) ?? 0) + change;
    if (used > 0) this.#used.set(receiver, used);
    else this.#used.delete(receiver);
    this.#total += change;
    if (isSuspect) this.#suspect += change;
  }
}
