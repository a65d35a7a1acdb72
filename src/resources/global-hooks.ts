// Global hooks: receivers of the events of all models that match a selector.
import { HookSelector, selectsModel } from "../core/anomaly/hook-selector.ts";
import { makeTestEvents } from "../core/anomaly/test-event.ts";
import { invalid } from "../core/errors.ts";
import { isRecord } from "../core/input/json.ts";
import { listViews } from "../core/input/listing.ts";
import { check } from "../core/input/schema.ts";
import { parseBoolean } from "../core/input/value.ts";
import { type HookSettings, replaceHook, viewHook } from "../hooks/index.ts";
import { listDeliveries } from "../store/anomalies/deliveries.ts";
import { enqueueTest } from "../store/anomalies/outbox.ts";
import {
  type GlobalHookContent,
  listGlobalHooks,
  loadGlobalHook,
  putGlobalHook,
  removeGlobalHook,
} from "../store/global-hooks.ts";
import { listModels } from "../store/models.ts";
import {
  checkHookName,
  type HookDeps,
  MAX_DELIVERIES,
  toHookContent,
  toHookSettings,
  viewDelivery,
} from "./hooks.ts";
import type { Params } from "./shared/range.ts";

interface GlobalHookView extends HookSettings {
  readonly selector: HookSelector;
}

/** Model of a test event if none matches the selector. */
const exampleModel = {
  name: "example",
  features: [{ name: "example", metric: "avg", field: "value", measurement: "example" }],
};

export class GlobalHooks {
  constructor(private readonly deps: Omit<HookDeps, "texts">) {}

  /** Names, or with `full` the hooks. @throws TorusError `invalid` */
  async list(params: Params = {}): Promise<(string | GlobalHookView)[]> {
    const full = parseBoolean(params.full ?? false, "full");
    const rows = await listGlobalHooks(this.deps.store);
    return rows.map((row) => (full ? toView(row.name, row) : row.name));
  }

  /** @throws TorusError `not_found` */
  async get(name: string): Promise<GlobalHookView> {
    return toView(name, await loadGlobalHook(this.deps.store, checkHookName(name)));
  }

  /**
   * Creates the hook, or replaces the one of its name; secrets that are not sent are kept.
   * @param name from the path; the body may omit it
   * @throws TorusError `invalid`
   */
  async put(body: unknown, name?: string): Promise<void> {
    if (!isRecord(body)) throw invalid("body", "must be a JSON object with type, name and config");
    if (name !== undefined && body.name !== undefined && body.name !== name)
      throw invalid("name", "must be the name in the path, or left out");
    const { selector: given = {}, ...hook } = name === undefined ? body : { ...body, name };
    if (hook.name === undefined) throw invalid("name", "is required");
    const selector = check(HookSelector, given, "selector");
    const known = checkHookName(hook.name);
    const { store, clock, wake, allowed } = this.deps;
    const change = (row: GlobalHookContent | undefined): GlobalHookContent => {
      const settings = replaceHook(row && toHookSettings(known, row), hook, allowed);
      return { ...toHookContent(settings), selector };
    };
    await putGlobalHook(store, known, { at: clock.now(), change });
    wake();
  }

  /** Deletes the hook with its pending deliveries. @throws TorusError `not_found` */
  async remove(name: string): Promise<void> {
    await removeGlobalHook(this.deps.store, checkHookName(name));
  }

  /** Delivers a test anomaly of the first model that matches the selector. @throws TorusError `not_found` */
  async test(name: string): Promise<void> {
    const { store, clock, wake } = this.deps;
    const { selector } = await loadGlobalHook(store, checkHookName(name));
    const models = (await listModels(store)).map(({ settings }) => settings);
    const settings = models.find((model) => selectsModel(selector, model)) ?? exampleModel;
    const at = clock.now();
    const events = makeTestEvents({ settings, episode: crypto.randomUUID(), at });
    await enqueueTest(store, { model: null, name }, { events, at });
    wake();
  }

  /** The latest deliveries for all models, newest first. @throws TorusError `not_found`, `invalid` */
  async deliveries(name: string, params: Params = {}): Promise<object[]> {
    const { store } = this.deps;
    await loadGlobalHook(store, checkHookName(name));
    const rows = await listDeliveries(store, { model: null, name }, MAX_DELIVERIES);
    return listViews(
      rows.map((row) => ({ model: row.model, ...viewDelivery(row) })),
      params,
      {},
    );
  }
}

function toView(name: string, row: GlobalHookContent): GlobalHookView {
  const { config, ...hook } = viewHook(toHookSettings(name, row));
  return { ...hook, selector: row.selector, config };
}
