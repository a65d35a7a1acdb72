// Delivery over a real outbox, with hooks that answer as the test requires, on a fake clock.
import type { HookEvent } from "../../src/core/anomaly/event.ts";
import type { HookOptions } from "../../src/core/anomaly/hook-options.ts";
import { Delivery, type DeliveryDeps, type DeliveryFailure } from "../../src/delivery/deliver.ts";
import { receiverOf } from "../../src/hooks/index.ts";
import type { HookContext, HookServices } from "../../src/hooks/kind.ts";
import type { Outcome } from "../../src/hooks/shared/outcome.ts";
import { listDeliveries } from "../../src/store/anomalies/deliveries.ts";
import { enqueueEvent } from "../../src/store/anomalies/outbox.ts";
import { write } from "../../src/store/db/transaction.ts";
import { putHook } from "../../src/store/hooks.ts";
import { createModel } from "../../src/store/models.ts";
import { makeContext } from "../hooks/events.ts";
import { drain, FakeClock } from "../jobs/fakes.ts";
import { openTemporary } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";

export interface Attempt {
  readonly at: number;
  readonly key: string;
  readonly hook: string;
  /** Ids of the events of the notification. */
  readonly events: readonly string[];
}

type Answer = (attempt: Attempt, signal: AbortSignal) => Outcome | Promise<Outcome>;

/** A store with models and hooks, and deliveries over it that can be stopped and started again. */
export class DeliveryWorld {
  readonly store = openTemporary();
  readonly clock = new FakeClock();
  /** Every attempt, in order. */
  readonly attempts: Attempt[] = [];
  readonly troubles: DeliveryFailure[] = [];
  readonly errors: unknown[] = [];
  /** What a hook answers, by name; default: sent. */
  readonly answers = new Map<string, Answer>();
  delivery = this.make();

  /** Another server on the same data. */
  make(overrides: Partial<DeliveryDeps> = {}): Delivery {
    return new Delivery({
      store: this.store,
      clock: this.clock,
      services: makeContext() as HookServices,
      random: () => 0.5,
      onDeliveryFailure: (trouble) => this.troubles.push(trouble),
      onError: (error) => this.errors.push(error),
      deliver: (events, _hook, context) => this.#answer(events, context),
      ...overrides,
    });
  }

  async #answer(events: readonly HookEvent[], { hook, key, signal }: HookContext): Promise<Outcome> {
    const attempt = { at: this.clock.now(), key, hook, events: events.map(({ id }) => id) };
    this.attempts.push(attempt);
    return (await this.answers.get(hook)?.(attempt, signal)) ?? "sent";
  }

  async attach(
    name: string,
    {
      model = "m",
      kind = "webhook",
      config = { url: `http://${name}/` } as Record<string, unknown>,
      options = {} as HookOptions,
    } = {},
  ): Promise<void> {
    await createModel(this.store, { name: model, settings: aModel() }, 0).catch(() => {});
    await putHook(
      this.store,
      { model, name },
      { at: 0, change: () => ({ kind, receiver: receiverOf(kind, config), config, options }) },
    );
  }

  /** A hook of all models. */
  async attachGlobal(
    name: string,
    options: HookOptions,
    { kind = "webhook", config = { url: `http://${name}/` } as Record<string, unknown> } = {},
  ): Promise<void> {
    const content = { kind, receiver: name, selector: {}, config, options };
    await putHook(this.store, { model: null, name }, { at: 0, change: () => content });
  }

  /** Puts events into the outbox and wakes the delivery. */
  async happen(...events: HookEvent[]): Promise<void> {
    const at = this.clock.now();
    await write(this.store, async (tx) => {
      for (const event of events) await enqueueEvent(tx, event, { at });
    });
    this.delivery.wake();
    await drain();
  }

  /** Advances the clock in steps, with the work that is due. */
  async pass(ms: number, stepMs = 1000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      await drain();
    }
  }

  deliveries(name: string, model = "m") {
    return listDeliveries(this.store, { model, name }, 100);
  }

  globalDeliveries(name: string) {
    return listDeliveries(this.store, { model: null, name }, 1000);
  }

  keys(hook?: string): string[] {
    return this.attempts.filter((attempt) => !hook || attempt.hook === hook).map(({ key }) => key);
  }

  /** Stops the delivery; attempts under way get no more time than they may take. */
  async stop(): Promise<void> {
    const stopped = this.delivery.stop();
    await drain();
    this.clock.advance(5000);
    await stopped;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.store.remove();
  }
}
