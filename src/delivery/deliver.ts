// Delivery: takes events out of the outbox and tells the hooks, in order per hook, again and again until they have it.
import { backoffMs } from "../core/time/backoff.ts";
import { findResendMs, receiverOf } from "../hooks/index.ts";
import type { Outcome } from "../hooks/shared/outcome.ts";
import {
  type DueDelivery,
  expireDelivery,
  findNextDue,
  listDue,
  markSent,
  planRetry,
} from "../store/anomalies/outbox.ts";
import type { Store } from "../store/db/open.ts";
import type { OutboxRow } from "../store/db/schema.ts";
import { fillReceivers } from "../store/hooks.ts";
import { type AttemptDeps, attemptDelivery, pause } from "./attempt.ts";
import { ReceiverSlots, type Slot } from "./receiver-slots.ts";
import { KEPT_MS, startForgetting } from "./retention.ts";

/** A database that cannot be used is tried again after this long. */
const STORE_RETRY_MS = 5000;
const MAX_REASON_LENGTH = 1000;

/** Something an operator should know of: the first failure of a delivery, or its end without success. */
export interface Trouble {
  readonly model: string;
  readonly hook: string;
  /** Present where it is a global hook. */
  readonly global?: true;
  readonly kind: string;
  readonly event: string;
  readonly state: "retrying" | "rejected" | "expired";
  readonly reason: string;
}

export interface DeliveryDeps extends AttemptDeps {
  readonly store: Store;
  /** From 0 to 1; spreads the attempts. */
  readonly chance: () => number;
  readonly onDeliveryFailure: (trouble: Trouble) => void;
  /** Told of every attempt that ended. */
  readonly onAttempt?: (kind: string, outcome: "sent" | "retry" | "reject") => void;
}

export class Delivery {
  /** Deliveries under way by model and hook, global ones apart: one at a time each. */
  readonly #flights = new Map<string, Promise<void>>();
  readonly #slots = new ReceiverSlots();
  readonly #stopping = new AbortController();
  #open = false;
  #taking = false;
  #again = false;
  #round: Promise<void> = Promise.resolve();
  #clearTimer = () => {};
  #stopForgetting = () => {};

  constructor(private readonly deps: DeliveryDeps) {}

  /** Gives up what is too old and begins to deliver; what a dead server left is found waiting. */
  async start(): Promise<void> {
    const { store, clock, onError } = this.deps;
    this.#open = true;
    this.#stopForgetting = await startForgetting({
      store,
      clock,
      onExpired: (row) => this.#report(row, { state: "expired", reason: row.lastError ?? "" }),
      onError: (error) => onError(error, null),
    });
    await fillReceivers(store, receiverOf).catch((error) => onError(error, null));
    this.wake();
  }

  /** To be called after events were put into the outbox. */
  wake(): void {
    this.#again = true;
    if (!this.#taking) this.#round = this.#takeAll();
  }

  /** Aborts what is under way; it is found waiting at the next start. */
  async stop(): Promise<void> {
    this.#open = false;
    this.#stopForgetting();
    this.#clearTimer();
    this.#stopping.abort();
    await Promise.all(this.#flights.values());
    await this.#round;
  }

  /** Takes what is due until nothing is, then sleeps until the next; one round at a time. */
  async #takeAll(): Promise<void> {
    this.#taking = true;
    try {
      while (this.#again && this.#open) {
        this.#again = false;
        for (const retries of [false, true]) while (await this.#take(retries));
        await this.#sleep();
      }
    } catch (error) {
      this.deps.onError(error, null);
      this.#wakeIn(STORE_RETRY_MS);
    } finally {
      this.#taking = false;
    }
  }

  /** @returns whether there may be more to take */
  async #take(retries: boolean): Promise<boolean> {
    const { store, clock } = this.deps;
    const free = this.#slots.free(retries);
    if (free <= 0) return false;
    // Those under way are still waiting in the store.
    const limit = free + this.#flights.size;
    const due = await listDue(store, { at: clock.now(), limit, retries, full: this.#slots.listFull() });
    let launched = false;
    if (this.#open) for (const row of due) if (this.#launch(row)) launched = true;
    return launched;
  }

  /** @returns false where the hook or its receiver is busy */
  #launch(row: DueDelivery): boolean {
    const lane = laneOf(row);
    const slot = this.#flights.has(lane) ? undefined : this.#slots.take(row.receiver, row.attempts > 0);
    if (!slot) return false;
    const landed = this.#fly(row, slot).then(() => {
      this.#flights.delete(lane);
      this.wake();
    });
    this.#flights.set(lane, landed);
    return true;
  }

  async #sleep(): Promise<void> {
    const { store, clock } = this.deps;
    const nextAt = await findNextDue(store, clock.now());
    if (nextAt !== undefined) this.#wakeIn(nextAt - clock.now());
  }

  #wakeIn(delayMs: number): void {
    this.#clearTimer();
    if (this.#open) this.#clearTimer = this.deps.clock.setTimer(() => this.wake(), Math.max(0, delayMs));
  }

  /** One attempt and its record; never rejects. */
  async #fly(row: OutboxRow, slot: Slot): Promise<void> {
    const stopped = this.#stopping.signal;
    const startedAt = this.deps.clock.now();
    const outcome = await attemptDelivery(row, { ...this.deps, stopped });
    const failed = typeof outcome === "object" && "retry" in outcome;
    slot.release({ failed, durationMs: this.deps.clock.now() - startedAt });
    while (outcome && !(await this.#record(row, outcome))) {
      // Told, but not written down: to go on would tell it again and again.
      if (!(await pause(this.deps.clock, STORE_RETRY_MS, stopped))) return;
    }
  }

  /** @returns whether it is written down */
  async #record(row: OutboxRow, outcome: Outcome): Promise<boolean> {
    try {
      await this.#settle(row, outcome);
      return true;
    } catch (error) {
      this.deps.onError(error, row);
      return false;
    }
  }

  async #settle(row: OutboxRow, outcome: Outcome): Promise<void> {
    const { store, clock, chance } = this.deps;
    const at = clock.now();
    this.deps.onAttempt?.(row.kind, outcome === "sent" ? outcome : "retry" in outcome ? "retry" : "reject");
    if (outcome === "sent") {
      const resendMs = findResendMs(row.kind);
      await markSent(store, row, { at, resendAt: resendMs === undefined ? undefined : at + resendMs });
      return;
    }
    const reason = ("retry" in outcome ? outcome.retry : outcome.reject).slice(0, MAX_REASON_LENGTH);
    const nextAt = at + backoffMs(row.attempts + 1, chance());
    const state =
      "reject" in outcome ? "rejected" : nextAt - row.createdAt >= KEPT_MS ? "expired" : "retrying";
    if (state === "retrying") await planRetry(store, row, { reason, nextAt });
    else await expireDelivery(store, row, { state, reason, at });
    if (state === "retrying" && row.attempts > 0) return;
    this.#report(row, { state, reason });
  }

  #report(
    { model, hook, isGlobal, kind, event }: Pick<OutboxRow, "model" | "hook" | "isGlobal" | "kind" | "event">,
    { state, reason }: Pick<Trouble, "state" | "reason">,
  ): void {
    const global = isGlobal ? ({ global: true } as const) : {};
    this.deps.onDeliveryFailure({ model, hook, ...global, kind, event: event.id, state, reason });
  }
}

function laneOf({ model, hook, isGlobal }: OutboxRow): string {
  return `${isGlobal ? "global/" : ""}${model}/${hook}`;
}
