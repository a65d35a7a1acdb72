// Hooks: notification receivers of a model's anomalies; secrets are write-only.
import { Value } from "@sinclair/typebox/value";
import type { DeliveryView, HookPreviewView } from "../api/hook.ts";
import type { HookEvent } from "../core/anomaly/event.ts";
import { optionsOf } from "../core/anomaly/hook-options.ts";
import { makeTestEvents } from "../core/anomaly/test-event.ts";
import { invalid } from "../core/errors.ts";
import { listViews } from "../core/input/listing.ts";
import { Name } from "../core/input/name.ts";
import { check } from "../core/input/schema.ts";
import { parseBoolean } from "../core/input/value.ts";
import { formatDate } from "../core/time/time.ts";
import {
  checkHook,
  fillSecrets,
  type HookSettings,
  type HookType,
  previewEvent,
  receiverOf,
  replaceHook,
  viewHook,
} from "../hooks/index.ts";
import type { Allowances, TextContext } from "../hooks/kind.ts";
import { describeEpisode } from "../live/episodes/episode-events.ts";
import type { Clock } from "../runtime/clock.ts";
import { type DeliveryRow, type HookContent, listDeliveries } from "../store/anomalies/deliveries.ts";
import { listEpisodes } from "../store/anomalies/episodes.ts";
import { enqueueTest } from "../store/anomalies/outbox.ts";
import type { Store } from "../store/db/open.ts";
import { listHooks, loadHook, putHook, removeHook } from "../store/hooks.ts";
import { loadModel } from "../store/models.ts";
import type { Params } from "./shared/range.ts";

export interface HookDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Limits of the settings on hooks. */
  readonly allowed: Allowances;
  /** Time zone and links of texts. */
  readonly texts: () => Pick<TextContext, "timezone" | "externalUrl" | "hasDashboard">;
  /** Wakes the delivery: events may be due. */
  readonly wake: () => void;
}

export class Hooks {
  constructor(private readonly deps: HookDeps) {}

  /** Names of the hooks of a model, or with `full` the hooks. @throws TorusError `not_found`, `invalid` */
  async list(model: string, params: Params = {}): Promise<(string | HookSettings)[]> {
    const full = parseBoolean(params.full ?? false, "full");
    const rows = await listHooks(this.deps.store, model);
    return rows.map((row) => (full ? viewHook(toHookSettings(row.name, row)) : row.name));
  }

  /** @throws TorusError `not_found` */
  async get(model: string, name: string): Promise<HookSettings> {
    const hook = await loadHook(this.deps.store, { model, name: checkHookName(name) });
    return viewHook(toHookSettings(hook.name, hook));
  }

  /** Attaches a hook, or replaces the one of its name. @throws TorusError `not_found` for the model, `invalid` */
  async put(model: string, body: unknown): Promise<void> {
    await loadModel(this.deps.store, model);
    const named = body as { readonly name?: unknown } | null;
    await this.#save(model, body, isHookName(named?.name) ? named.name : checkHook(body).name);
  }

  /** As `put`, with the name from the path; the body may omit it. @throws TorusError `not_found`, `invalid` */
  async replace(model: string, name: string, body: unknown): Promise<void> {
    await loadModel(this.deps.store, model);
    checkHookName(name);
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw invalid("body", "must be a JSON object with type and config");
    const hook: Record<string, unknown> = { name, ...body };
    if (isHookName(hook.name) && hook.name !== name)
      throw invalid("name", "must be the name in the path, or left out");
    await this.#save(model, hook, name);
  }

  /** @throws TorusError `not_found` */
  async remove(model: string, name: string): Promise<void> {
    await removeHook(this.deps.store, { model, name: checkHookName(name) });
  }

  /** Delivers a test anomaly in the same way as real ones. @throws TorusError `not_found` */
  async test(model: string, name: string): Promise<void> {
    const { store, clock, wake } = this.deps;
    const hook = await loadHook(store, { model, name: checkHookName(name) });
    const { settings } = await loadModel(store, model);
    const at = clock.now();
    const events = makeTestEvents({ settings, episode: crypto.randomUUID(), at });
    await enqueueTest(store, hook, { events, at });
    wake();
  }

  /**
   * What a hook would send about the last anomaly of the model, or about a test anomaly without one; nothing is stored
   * or sent. Secrets that are left out are those of the stored hook of its name, and are not shown.
   * @throws TorusError `not_found` for the model, `invalid`
   */
  async preview(model: string, body: unknown): Promise<HookPreviewView[]> {
    const { store, clock, allowed } = this.deps;
    const row = await loadModel(store, model);
    const { name } = (body ?? {}) as { readonly name?: unknown };
    const stored = isHookName(name) ? await this.#find(model, name) : undefined;
    const hook = checkHook(fillSecrets(stored, body), allowed);
    const [last] = await listEpisodes(store, { models: [model], page: { from: 0, to: 1 } });
    const events = last
      ? describeEpisode(last)
      : makeTestEvents({ settings: row.settings, episode: crypto.randomUUID(), at: clock.now() });
    return previewEvents(events, hook, this.deps);
  }

  async #find(model: string, name: string): Promise<HookSettings | undefined> {
    const rows = await listHooks(this.deps.store, model);
    const row = rows.find((known) => known.name === name);
    return row && toHookSettings(name, row);
  }

  /** The latest deliveries, newest first. @throws TorusError `not_found`, `invalid` for bad list parameters */
  async deliveries(model: string, name: string, params: Params = {}): Promise<object[]> {
    const { store } = this.deps;
    await loadHook(store, { model, name: checkHookName(name) });
    const rows = await listDeliveries(store, { model, name }, MAX_DELIVERIES);
    return listViews(rows.map(viewDelivery), params, {});
  }

  /** Checks inside the transaction: secrets that are not sent are taken from the stored hook. */
  async #save(model: string, body: unknown, name: string): Promise<void> {
    const { store, clock, wake, allowed } = this.deps;
    const change = (row: HookContent | undefined): HookContent => {
      return toHookContent(replaceHook(row && toHookSettings(name, row), body, allowed));
    };
    await putHook(store, { model, name }, { at: clock.now(), change });
    wake();
  }
}

/** Messages of a hook about the events; without those that it does not get. */
export function previewEvents(
  events: readonly HookEvent[],
  hook: HookSettings,
  { texts, clock }: Pick<HookDeps, "texts" | "clock">,
): HookPreviewView[] {
  const context = { ...texts(), now: () => clock.now() };
  return events.flatMap((event) => {
    const preview = previewEvent(event, hook, context);
    return preview ? [{ event: event.kind, ...(event.test && { test: true as const }), ...preview }] : [];
  });
}

function isHookName(name: unknown): name is string {
  return Value.Check(Name, name);
}

/** @throws TorusError `invalid` */
export function checkHookName(name: unknown): string {
  return check(Name, name, "name");
}

/** Settings of a stored hook. */
export function toHookSettings(
  name: string,
  { kind, config, options }: Pick<HookContent, "kind" | "config" | "options">,
): HookSettings {
  return { name, type: kind as HookType, config, ...options };
}

/** Settings of a hook, to be stored. */
export function toHookContent(settings: HookSettings) {
  const { type: kind, config } = settings;
  return { kind, receiver: receiverOf(kind, config), config: { ...config }, options: optionsOf(settings) };
}

/** The newest deliveries shown. */
export const MAX_DELIVERIES = 100;

/** API view of a delivery; fields that do not apply are absent. */
export function viewDelivery(row: DeliveryRow): DeliveryView {
  const { id, resend, kind, state, attempts, event, lastError, createdAt, nextAt, endedAt } = row;
  return {
    id,
    ...(resend && { resend: true as const }),
    event: event.kind,
    anomaly: event.episode,
    ...(event.test && { test: true as const }),
    type: kind,
    state,
    attempts,
    ...(lastError && { error: lastError }),
    created_date: formatDate(createdAt),
    created_timestamp: createdAt / 1000,
    ...(state === "waiting" && {
      next_attempt_date: formatDate(nextAt),
      next_attempt_timestamp: nextAt / 1000,
    }),
    ...(endedAt !== null && { end_date: formatDate(endedAt), end_timestamp: endedAt / 1000 }),
  };
}
