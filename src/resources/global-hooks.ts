// Global hooks: receivers of the events of all models that match a selector.
import type { HookPreviewView } from "../api/hook.ts";
import type { HookEvent } from "../core/anomaly/event.ts";
import { HookSelector, selectsModel } from "../core/anomaly/hook-selector.ts";
import { makeTestEvents } from "../core/anomaly/test-event.ts";
import { invalid } from "../core/errors.ts";
import { isRecord } from "../core/input/json.ts";
import { listViews } from "../core/input/listing.ts";
import { check } from "../core/input/schema.ts";
import { parseBoolean } from "../core/input/value.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { checkHook, fillSecrets, type HookSettings, replaceHook, viewHook } from "../hooks/index.ts";
import { describeEpisode } from "../live/episodes/episode-events.ts";
import { listDeliveries } from "../store/anomalies/deliveries.ts";
import { listEpisodes } from "../store/anomalies/episodes.ts";
import { enqueueTest } from "../store/anomalies/outbox.ts";
import {
  type GlobalHookContent,
  listGlobalHooks,
  loadGlobalHook,
  putGlobalHook,
  removeGlobalHook,
} from "../store/global-hooks.ts";
import { readAllModels } from "../store/models.ts";
import {
  checkHookName,
  type HookDeps,
  MAX_DELIVERIES,
  previewEvents,
  toHookContent,
  toHookSettings,
  viewDelivery,
} from "./hooks.ts";
import type { Params } from "./shared/range.ts";

const BODY_RULE = "must be a JSON object with type, name and config";

interface GlobalHookView extends HookSettings {
  readonly selector: HookSelector;
}

/** Model of a test event if none matches the selector. */
const exampleModel = {
  name: "example",
  features: [{ name: "example", metric: "avg", field: "value", measurement: "example" }],
};

/** Newest anomalies among which a preview finds one that the selector matches. */
const MAX_SEARCHED = 1000;

export class GlobalHooks {
  constructor(private readonly deps: HookDeps) {}

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
    if (!isRecord(body)) throw invalid("body", BODY_RULE);
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
    const at = clock.now();
    const events = makeTestEventsOf(selector, await this.#models(), at);
    await enqueueTest(store, { model: null, name }, { events, at });
    wake();
  }

  /**
   * Shows what a hook would send about the newest anomaly that its selector matches, or about a test anomaly without
   * one; nothing is stored or sent. Secrets that are left out are those of the stored hook of its name, and are not shown.
   * @throws TorusError `invalid`
   */
  async preview(body: unknown): Promise<HookPreviewView[]> {
    if (!isRecord(body)) throw invalid("body", BODY_RULE);
    const { selector: given = {}, ...settings } = body;
    const selector = check(HookSelector, given, "selector");
    const { store, clock, allowed } = this.deps;
    const stored = (await listGlobalHooks(store)).find(({ name }) => name === settings.name);
    const hook = checkHook(fillSecrets(stored && toHookSettings(stored.name, stored), settings), allowed);
    const models = await this.#models();
    const events =
      (await this.#newestEvents(selector, models)) ?? makeTestEventsOf(selector, models, clock.now());
    return previewEvents(events, hook, this.deps);
  }

  async #newestEvents(
    selector: HookSelector,
    models: readonly ModelSettings[],
  ): Promise<readonly HookEvent[] | undefined> {
    const settingsOf = new Map(models.map((settings) => [settings.name, settings]));
    const episodes = await listEpisodes(this.deps.store, { page: { from: 0, to: MAX_SEARCHED } });
    const newest = episodes.find(({ model, series }) => {
      const settings = settingsOf.get(model);
      return settings && selectsModel(selector, { ...settings, series: series ?? undefined });
    });
    return newest && describeEpisode(newest);
  }

  async #models(): Promise<readonly ModelSettings[]> {
    return (await readAllModels(this.deps.store)).map(({ settings }) => settings);
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

/** Test events of the first model that the selector matches. */
function makeTestEventsOf(selector: HookSelector, models: readonly ModelSettings[], at: number) {
  const settings = models.find((model) => selectsModel(selector, model)) ?? exampleModel;
  return makeTestEvents({ settings, episode: crypto.randomUUID(), at });
}

function toView(name: string, row: GlobalHookContent): GlobalHookView {
  const { config, ...hook } = viewHook(toHookSettings(name, row));
  return { ...hook, selector: row.selector, config };
}
