// Delivers the outbox to hooks, in order per hook; stages: due -> claim -> attempt -> classify -> record -> report.
import { type Ownership, type ShardUser, shardOf, soleOwner } from "../core/ownership.ts";
import { findResendMs, receiverOf } from "../hooks/index.ts";
import type { Outcome } from "../hooks/shared/outcome.ts";
import { sleep, waitAtMost } from "../runtime/deadline.ts";
import { KeyedLimiter } from "../runtime/keyed-limiter.ts";
import { expireDelivery, markSent, planRetry } from "../store/anomalies/delivery-outcomes.ts";
import { type DueDelivery, findNextDue, listDue } from "../store/anomalies/due-deliveries.ts";
import { claimBatch } from "../store/anomalies/groups.ts";
import type { Store } from "../store/db/open.ts";
import type { OutboxRow } from "../store/db/schema.ts";
import { fillReceivers } from "../store/hooks.ts";
import { type AttemptDeps, attemptDelivery } from "./attempt.ts";
import { classifyOutcome, type Verdict } from "./classify.ts";
import { ReceiverSlots, type Slot } from "./receiver-slots.ts";
import { startRetention } from "./retention.ts";

/** Pause before a database that failed is tried again. */
const STORE_RETRY_MS = 5000;
/** Time for attempts under way at a stop: one that is aborted may have been received, and is repeated. */
const STOP_GRACE_MS = 5000;

/** For operators: the first failure of a delivery, or its end without success. */
export interface DeliveryFailure {
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
  /** Models whose events are delivered here; default: all. */
  readonly ownership?: Ownership;
  /** From 0 to 1; spreads the attempts. */
  readonly random: () => number;
  readonly onDeliveryFailure: (trouble: DeliveryFailure) => void;
  /** Called after every attempt. */
  readonly onAttempt?: (kind: string, outcome: "sent" | "retry" | "reject") => void;
}

export class Delivery implements ShardUser {
  /** One delivery at a time per model and hook. */
  readonly #hooks = new KeyedLimiter(1);
  /** Deliveries under way, with their shards. */
  readonly #underWay = new Map<Promise<void>, number>();
  /** Shards that are about to be given away: their events wait for the next node. */
  readonly #draining = new Set<number>();
  /** Rows whose deliveries have ended since the due ones were asked for: the answer may show them waiting. */
  readonly #ended = new Set<number>();
  readonly #slots = new ReceiverSlots();
  readonly #stopping = new AbortController();
  #isOpen = false;
  #isClaiming = false;
  #isWakeRequested = false;
  #claiming: Promise<void> = Promise.resolve();
  #clearTimer = () => {};
  #stopRetention = () => {};

  constructor(private readonly deps: DeliveryDeps) {}

  /** Expires old events and starts to deliver, also what the last server left waiting. */
  async start(): Promise<void> {
    const { store, clock, onError } = this.deps;
    this.#isOpen = true;
    this.#stopRetention = await startRetention({
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
    this.#isWakeRequested = true;
    if (!this.#isClaiming) this.#claiming = this.#claimAllDue();
  }

  /** Delivers the events of shards, also what another node left waiting. */
  async gain(): Promise<void> {
    if (this.#isOpen) this.wake();
  }

  /** Claims no more events of shards, and waits for their deliveries: their order holds on the next node. */
  async drain(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#draining.add(shard);
    await this.#waitFor(shards);
  }

  /** Waits for deliveries of shards, as of those that were lost without being drained. */
  async lose(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#draining.delete(shard);
    await this.#waitFor(shards);
  }

  async #waitFor(shards: readonly number[]): Promise<void> {
    const waited = new Set(shards);
    await Promise.all(
      [...this.#underWay].flatMap(([delivery, shard]) => (waited.has(shard) ? [delivery] : [])),
    );
  }

  get #ownership(): Ownership {
    return this.deps.ownership ?? soleOwner;
  }

  /** Shards whose events are claimed; undefined: all. */
  get #shards(): readonly number[] | undefined {
    return this.#ownership.shards?.filter((shard) => !this.#draining.has(shard));
  }

  /** Claims nothing more, and aborts attempts that take longer; their deliveries are found waiting at the next start. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#stopRetention();
    this.#clearTimer();
    await waitAtMost(STOP_GRACE_MS, this.#hooks.idle(), this.deps.clock);
    this.#stopping.abort();
    await this.#hooks.idle();
    await this.#claiming;
  }

  /** Claims deliveries until none is due, then sleeps until the next is. */
  async #claimAllDue(): Promise<void> {
    this.#isClaiming = true;
    try {
      while (this.#isWakeRequested && this.#isOpen) {
        this.#isWakeRequested = false;
        for (const retries of [false, true]) while (await this.#claimDue(retries));
        await this.#sleep();
      }
    } catch (error) {
      this.deps.onError(error, null);
      this.#wakeIn(STORE_RETRY_MS);
    } finally {
      this.#isClaiming = false;
    }
  }

  /** Stage due: reads first attempts or retries that are due, and claims them. @returns whether there may be more */
  async #claimDue(retries: boolean): Promise<boolean> {
    const { store, clock } = this.deps;
    const free = this.#slots.free(retries);
    if (free <= 0) return false;
    // Deliveries under way are still waiting in the store.
    const limit = free + this.#hooks.running;
    const shards = this.#shards;
    const full = this.#slots.listFull();
    this.#ended.clear();
    const due = await listDue(store, { at: clock.now(), limit, retries, full, shards });
    let isAnyClaimed = false;
    if (this.#isOpen) for (const row of due) if (this.#claim(row)) isAnyClaimed = true;
    return isAnyClaimed;
  }

  /** Stage claim: starts the delivery. @returns false where the hook or its receiver is busy */
  #claim(row: DueDelivery): boolean {
    const hook = hookKeyOf(row);
    const subject = subjectOf(row);
    if (this.#ended.has(row.seq)) return false;
    const shard = shardOf(subject);
    if (!this.#ownership.owns(subject) || this.#draining.has(shard)) return false;
    const slot = this.#hooks.isFull(hook) ? undefined : this.#slots.take(row.receiver, row.attempts > 0);
    if (!slot) return false;
    const delivery = this.#hooks.add(hook, () => this.#deliver(row, slot));
    this.#underWay.set(delivery, shard);
    void delivery.then(() => {
      this.#underWay.delete(delivery);
      this.#ended.add(row.seq);
      this.wake();
    });
    return true;
  }

  async #sleep(): Promise<void> {
    const { store, clock } = this.deps;
    const nextAt = await findNextDue(store, clock.now(), this.#shards);
    if (nextAt !== undefined) this.#wakeIn(nextAt - clock.now());
  }

  #wakeIn(delayMs: number): void {
    this.#clearTimer();
    if (this.#isOpen) this.#clearTimer = this.deps.clock.setTimer(() => this.wake(), Math.max(0, delayMs));
  }

  /** The stages of a claimed delivery; never rejects. */
  async #deliver(due: DueDelivery, slot: Slot): Promise<void> {
    const rows = await this.#collect(due);
    if (!rows) return slot.release({ failed: false, durationMs: 0 });
    const outcome = await this.#attempt(rows, slot);
    if (!outcome) return;
    // Delivered but not recorded, it would be delivered again: recording goes on until it works or the server stops.
    while (!(await this.#record(rows, outcome)))
      if (!(await sleep(STORE_RETRY_MS, this.#stopping.signal, this.deps.clock))) return;
  }

  /** Stage claim, of a group: the events of the notification. @returns undefined where the store cannot be used */
  async #collect(due: DueDelivery): Promise<readonly OutboxRow[] | undefined> {
    const { store, clock, onError } = this.deps;
    try {
      const rows = await claimBatch(store, due, { at: clock.now(), newId: () => crypto.randomUUID() });
      return rows.length > 0 ? rows : undefined;
    } catch (error) {
      onError(error, due);
      await sleep(STORE_RETRY_MS, this.#stopping.signal, clock);
      return undefined;
    }
  }

  /** Stage attempt. @returns undefined where the server stops */
  async #attempt(rows: readonly OutboxRow[], slot: Slot): Promise<Outcome | undefined> {
    const { clock, onAttempt } = this.deps;
    const startedAt = clock.now();
    const outcome = await attemptDelivery(rows, { ...this.deps, stopped: this.#stopping.signal });
    const result = outcome && outcomeName(outcome);
    slot.release({ failed: result === "retry", durationMs: clock.now() - startedAt });
    if (result) onAttempt?.(rows[0]!.kind, result);
    return outcome;
  }

  /** Stages classify, record and report. @returns whether the outcome is recorded */
  async #record(rows: readonly OutboxRow[], outcome: Outcome): Promise<boolean> {
    const { clock, random, onError } = this.deps;
    const row = rows[0]!;
    const at = clock.now();
    const context = { at, jitter: random(), resendMs: findResendMs(row.kind) };
    const verdict = classifyOutcome(row, outcome, context);
    try {
      await this.#save(rows, verdict, at);
    } catch (error) {
      onError(error, row);
      return false;
    }
    if (verdict.state === "sent" || (verdict.state === "retrying" && row.attempts > 0)) return true;
    this.#report(row, verdict);
    return true;
  }

  /** A start that was sent is resent later, where the kind of the hook needs it. */
  async #save(rows: readonly OutboxRow[], verdict: Verdict, at: number): Promise<void> {
    const { store } = this.deps;
    if (verdict.state === "sent") await markSent(store, rows, { at, resendAt: verdict.resendAt });
    else if (verdict.state === "retrying") await planRetry(store, rows, verdict);
    else await expireDelivery(store, rows, { ...verdict, at });
  }

  #report(
    { model, hook, isGlobal, kind, event }: Pick<OutboxRow, "model" | "hook" | "isGlobal" | "kind" | "event">,
    { state, reason }: Pick<DeliveryFailure, "state" | "reason">,
  ): void {
    const global = isGlobal ? ({ global: true } as const) : {};
    this.deps.onDeliveryFailure({ model, hook, ...global, kind, event: event.id, state, reason });
  }
}

/** Of a group, the same for all models. */
function hookKeyOf(row: OutboxRow): string {
  const { model, hook, isGlobal } = row;
  return isGrouped(row) ? subjectOf(row) : `${isGlobal ? "global/" : ""}${model}/${hook}`;
}

/** What the shard of a row is of, as the column `shard` of the outbox: its model, or the group of a global hook. */
function subjectOf(row: OutboxRow): string {
  return isGrouped(row) ? `global/${row.hook}#${row.groupKey}` : row.model;
}

function isGrouped({ isGlobal, groupKey }: OutboxRow): boolean {
  return isGlobal && groupKey !== null;
}

function outcomeName(outcome: Outcome): "sent" | "retry" | "reject" {
  if (outcome === "sent") return outcome;
  return "retry" in outcome ? "retry" : "reject";
}
