// Hooks: notification receivers of the anomalies of a model or, global, of all that a selector matches.
import type { HookPreviewView } from "../../api/hook.ts";
import type { HookEvent } from "../../core/anomaly/event.ts";
import { checkGroupTimes } from "../../core/anomaly/hook-options.ts";
import type { HookSelector } from "../../core/anomaly/hook-selector.ts";
import { selectsModel } from "../../core/anomaly/selects-model.ts";
import { makeTestEvents } from "../../core/anomaly/test-event.ts";
import type { Listed } from "../../core/input/listed.ts";
import { listViews } from "../../core/input/listing.ts";
import { parseBoolean } from "../../core/input/value.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { checkAhead, type Leniency } from "../../core/model/mute.ts";
import { checkHook, fillSecrets, type HookSettings, previewEvent, replaceHook } from "../../hooks/index.ts";
import type { Allowances, TextContext } from "../../hooks/kind.ts";
import { describeEpisode } from "../../live/episodes/episode-events.ts";
import { storedSettings } from "../../live/stored-settings.ts";
import { type DeliveryRow, type HookContent, listDeliveries } from "../../store/anomalies/deliveries.ts";
import { listEpisodes } from "../../store/anomalies/episodes.ts";
import { enqueueTest } from "../../store/anomalies/outbox.ts";
import type { Store } from "../../store/db/open.ts";
import { type HookRow, listHooks, loadHook, putHook, removeHook } from "../../store/hooks.ts";
import { loadModel, readAllModels } from "../../store/models.ts";
import { type BinDeps, type Deleter, deletionOf } from "../shared/deletion.ts";
import type { Params } from "../shared/range.ts";
import { checkBody, checkHookName, readGlobalHook, readOwnHook, splitSelector } from "./body.ts";
import { type HookView, toHookContent, toHookSettings, viewDelivery, viewStored } from "./view.ts";

interface HookDeps extends BinDeps {
  readonly store: Store;
  /** Limits of the settings on hooks. */
  readonly allowed: Allowances;
  /** Time zone and links of texts. */
  readonly texts: () => Pick<TextContext, "timezone" | "externalUrl" | "hasDashboard">;
  /** Wakes the delivery: events may be due. */
  readonly wake: () => void;
}

/** Model of a test event if none matches the selector. */
const exampleModel = {
  name: "example",
  features: [{ name: "example", metric: "avg", field: "value", measurement: "example" }],
};

/** Newest anomalies among which a preview finds one that the selector matches. */
const MAX_SEARCHED = 1000;
/** The newest deliveries shown. */
const MAX_DELIVERIES = 100;

/** Methods take the model of the hook, or null for a global hook; secrets are write-only. */
export class Hooks {
  constructor(private readonly deps: HookDeps) {}

  /** Names, or with `full` the hooks. @throws TorusError `not_found` for the model, `invalid` */
  async list(model: string | null, params: Params = {}): Promise<(string | HookView)[]> {
    const full = parseBoolean(params.full ?? false, "full");
    const rows = await listHooks(this.deps.store, model);
    return rows.map((row) => (full ? viewStored(row) : row.name));
  }

  /** @throws TorusError `not_found`, `invalid` */
  async get(model: string | null, name: string): Promise<HookView> {
    return viewStored(await this.#load(model, name));
  }

  /**
   * Creates a hook, or replaces the one of its name; secrets that are not sent are kept.
   * @param name from the path; the body may omit it. Absent: the body has it
   * @throws TorusError `not_found` for the model, `invalid`
   */
  async put(
    model: string | null,
    body: unknown,
    name?: string,
    { endedMutes = false }: Leniency = {},
  ): Promise<void> {
    const { store, clock, wake, allowed } = this.deps;
    if (model !== null) await loadModel(store, model);
    const hook = model === null ? readGlobalHook(body, name) : readOwnHook(body, name);
    const { selector, settings } = hook;
    // Checks inside the transaction: secrets that are not sent are taken from the stored hook.
    const change = (old: HookContent | undefined): HookContent => {
      const stored = old && toHookSettings(hook.name, old);
      const next = replaceHook(stored, settings, allowed);
      checkGroupTimes(next, stored);
      if (!endedMutes) checkAhead(next.mute, { before: stored?.mute, nowAt: clock.now() });
      return { ...toHookContent(next), ...(selector && { selector }) };
    };
    await putHook(store, { model, name: hook.name }, { at: clock.now(), change });
    wake();
  }

  /**
   * Deletes a hook, a global one with its waiting deliveries.
   * @returns entries of the bin
   * @throws TorusError `not_found`
   */
  async remove(model: string | null, name: string, deleter: Deleter = {}): Promise<string[]> {
    const hook = { model, name: checkHookName(name) };
    return removeHook(this.deps.store, hook, deletionOf(this.deps, deleter));
  }

  /**
   * Delivers a test anomaly in the same way as real ones: of the model, or of the first one that the selector matches.
   * @throws TorusError `not_found`
   */
  async test(model: string | null, name: string): Promise<void> {
    const { store, clock, wake } = this.deps;
    const hook = await this.#load(model, name);
    const at = clock.now();
    const events = makeTestEventsOf(await this.#models(model), hook.selector, at);
    await enqueueTest(store, hook, { events, at });
    wake();
  }

  /**
   * What a hook would send about the newest anomaly of its models, or about a test anomaly without one; nothing is stored
   * or sent. Secrets that are left out are those of the stored hook of its name, and are not shown.
   * @throws TorusError `not_found` for the model, `invalid`
   */
  async preview(model: string | null, body: unknown): Promise<HookPreviewView[]> {
    const { store, clock, allowed } = this.deps;
    const rows = await listHooks(store, model);
    const { selector, settings } =
      model === null ? splitSelector(checkBody(body)) : { selector: undefined, settings: body };
    const { name } = (settings ?? {}) as { readonly name?: unknown };
    const stored = rows.find((row) => row.name === name);
    const hook = checkHook(fillSecrets(stored && toHookSettings(stored.name, stored), settings), allowed);
    const models = await this.#models(model);
    const newest = await this.#findNewest(model, selector, models);
    return this.#preview(hook, newest ?? makeTestEventsOf(models, selector, clock.now()));
  }

  /** The latest deliveries, newest first. @throws TorusError `not_found`, `invalid` for bad list parameters */
  async deliveries(model: string | null, name: string, params: Params = {}): Promise<Listed> {
    const hook = await this.#load(model, name);
    const rows = await listDeliveries(this.deps.store, hook, MAX_DELIVERIES);
    const view = (row: DeliveryRow) => ({
      ...(model === null && { model: row.model }),
      ...viewDelivery(row),
    });
    return listViews(rows.map(view), params, {});
  }

  /** Messages about the events; without those that the hook does not get. */
  #preview(hook: HookSettings, events: readonly HookEvent[]): HookPreviewView[] {
    const { texts, clock } = this.deps;
    const context = { ...texts(), now: () => clock.now() };
    return events.flatMap((event) => {
      const preview = previewEvent(event, hook, context);
      return preview ? [{ event: event.kind, ...(event.test && { test: true as const }), ...preview }] : [];
    });
  }

  /** Events of the newest anomaly of the models that the selector matches. */
  async #findNewest(
    model: string | null,
    selector: HookSelector | undefined,
    models: readonly ModelSettings[],
  ): Promise<readonly HookEvent[] | undefined> {
    const settingsOf = new Map(models.map((settings) => [settings.name, settings]));
    const query = model === null ? {} : { models: [model] };
    const to = model === null ? MAX_SEARCHED : 1;
    const episodes = await listEpisodes(this.deps.store, { ...query, page: { from: 0, to } });
    const newest = episodes.find((episode) => {
      const settings = settingsOf.get(episode.model);
      return settings && selectsModel(selector ?? {}, { ...settings, series: episode.series ?? undefined });
    });
    return newest && describeEpisode(newest);
  }

  /** The model, or all of them. @throws TorusError `not_found` */
  async #models(model: string | null): Promise<readonly ModelSettings[]> {
    const rows =
      model === null ? await readAllModels(this.deps.store) : [await loadModel(this.deps.store, model)];
    return rows.map((row) => storedSettings(row).settings);
  }

  #load(model: string | null, name: string): Promise<HookRow> {
    return loadHook(this.deps.store, { model, name: checkHookName(name) });
  }
}

/** Test events of the first model that the selector matches. */
function makeTestEventsOf(
  models: readonly ModelSettings[],
  selector: HookSelector | undefined,
  at: number,
): readonly HookEvent[] {
  const settings = models.find((model) => selectsModel(selector ?? {}, model)) ?? exampleModel;
  return makeTestEvents({ settings, episode: crypto.randomUUID(), at });
}
