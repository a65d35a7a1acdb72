// Advice on accepted requests: names that do not exist yet, and selectors that match nothing.
import { adviseOnSelector } from "../core/anomaly/selects-model.ts";
import type { Resource } from "../core/apply/resource.ts";
import { TorusError } from "../core/errors.ts";
import { isRecord } from "../core/input/json.ts";
import { didYouMean } from "../core/input/suggest.ts";
import { concerns, type MuteWindow } from "../core/model/mute.ts";
import { listBuckets, loadBucket } from "../store/buckets.ts";
import { loadCalendar } from "../store/calendars.ts";
import type { Store } from "../store/db/open.ts";
import { listLiveSeries } from "../store/fleets/series-list.ts";
import { loadHook } from "../store/hooks.ts";
import { loadModel, readAllModels } from "../store/models.ts";
import { loadTemplate } from "../store/templates.ts";
import { splitSelector } from "./hooks/body.ts";

type Body = Readonly<Record<string, unknown>>;
type Load = (store: Store, name: string) => Promise<unknown>;

/** First segments of paths that a name follows. */
const nouns: ReadonlyMap<string, Load> = new Map<string, Load>([
  ["models", loadModel],
  ["buckets", loadBucket],
  ["templates", loadTemplate],
  ["calendars", loadCalendar],
  ["hooks", (store, name) => loadHook(store, { model: null, name })],
]);
/** Parameters and fields of calls that are names. */
const named: ReadonlyMap<string, Load> = new Map<string, Load>([
  ["from_template", loadTemplate],
  ...["bucket", "db", "input_bucket", "output_bucket"].map((key) => [key, loadBucket] as const),
]);

/** Kind of hooks that write to a bucket. */
const ANNOTATIONS = "annotations";
/** Resources of an apply that are looked at: their advice shares a header. */
const MAX_APPLIED = 200;
/** Live series of a model that mute windows are compared with. */
const MAX_SERIES = 1000;

const none = Promise.resolve<readonly string[]>([]);

/** What cannot be looked up is not advised on: the request itself has succeeded. */
async function orNone(advice: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await advice;
  } catch (error) {
    if (error instanceof TorusError) return none;
    throw error;
  }
}

/** Methods take bodies that were stored. */
export class Advice {
  constructor(private readonly store: Store) {}

  /** On the selector of a global hook, on events that its model never makes, and on a bucket to write to. */
  onHook(model: string | null, body: unknown): Promise<readonly string[]> {
    return isRecord(body) ? orNone(this.#onHook(model, body)) : none;
  }

  async #onHook(model: string | null, body: Body): Promise<string[]> {
    const { type, config, events, selector } = body;
    const bucket = type === ANNOTATIONS && isRecord(config) ? config.bucket : undefined;
    const found =
      typeof bucket === "string" ? await this.#missing("config.bucket", loadBucket, [bucket]) : [];
    if (model !== null) found.push(...(await this.#onEvents(model, events)));
    else if (selector !== undefined) {
      const models = (await readAllModels(this.store)).map(({ settings }) => settings);
      found.push(...adviseOnSelector(splitSelector(body).selector, models));
    }
    return found;
  }

  /** Topics of events that a setting of the model switches on. */
  async #onEvents(model: string, events: unknown): Promise<string[]> {
    if (!Array.isArray(events)) return [];
    const { settings } = await loadModel(this.store, model);
    const isOff = { forecast: !settings.watch_forecast?.length, silence: settings.silence === undefined };
    const needed = { forecast: "watch_forecast", silence: "silence" };
    return (["forecast", "silence"] as const)
      .filter((topic) => events.includes(topic) && isOff[topic])
      .map((topic) => `events: ${topic} is announced where the model has ${needed[topic]}`);
  }

  /**
   * On buckets, and on mute windows, in full settings of a model or in those to change.
   * @param models that were changed; absent: one was created
   */
  onModel(body: unknown, models: readonly string[] = []): Promise<readonly string[]> {
    return isRecord(body) ? orNone(this.#onModel(body, models)) : none;
  }

  async #onModel(body: Body, models: readonly string[]): Promise<string[]> {
    const found = await this.#onBuckets(body);
    for (const model of models) found.push(...(await this.#onMute(model, body.mute)));
    return found;
  }

  async #onBuckets(body: Body): Promise<string[]> {
    const features = Array.isArray(body.features) ? body.features : [];
    const places: (readonly [string, unknown])[] = [
      ["default_bucket", body.default_bucket],
      ...features.map((one, i) => [`features.${i}.bucket`, isRecord(one) && one.bucket] as const),
    ];
    const known = (await listBuckets(this.store)).map(({ name }) => name);
    return places.flatMap(([path, name]) => {
      if (typeof name !== "string" || name === "" || known.includes(name)) return [];
      return [`${path}: bucket ${name} does not exist${didYouMean(name, known)}`];
    });
  }

  /** Windows that mute none of the live series; with too many of these, none is judged. */
  async #onMute(model: string, mute: unknown): Promise<string[]> {
    const windows = (Array.isArray(mute) ? mute : []) as readonly MuteWindow[];
    if (!windows.some(({ series }) => series)) return [];
    const rows = await listLiveSeries(this.store, model, { page: { offset: 0, limit: MAX_SERIES + 1 } });
    if (rows.length === 0 || rows.length > MAX_SERIES) return [];
    return windows.flatMap((window, index) =>
      rows.some(({ tags }) => concerns(window, tags))
        ? []
        : [`mute.${index}.series: no series of ${model} matches`],
    );
  }

  /** On what the request of a scheduled job is about. */
  onScheduledJob(body: unknown): Promise<readonly string[]> {
    return isRecord(body) ? orNone(this.#onScheduledJob(body)) : none;
  }

  async #onScheduledJob(body: Body): Promise<string[]> {
    const { relative_url: path, params, json } = body;
    const [, noun = "", names = ""] = typeof path === "string" ? path.split("/") : [];
    const ofPath = decodeURIComponent(names)
      .split(";")
      .filter((name) => name !== "" && !name.startsWith("_"));
    const found = await this.#missing("relative_url", nouns.get(noun), ofPath);
    for (const [place, values] of Object.entries({ params, json }))
      for (const [key, load] of named) {
        const value = isRecord(values) ? values[key] : undefined;
        if (typeof value === "string" && value !== "")
          found.push(...(await this.#missing(`${place}.${key}`, load, [value])));
      }
    return found.map((text) => `${text}: each run fails until it does`);
  }

  /** On the first of many resources that were created or changed together. */
  async onApplied(resources: readonly Resource[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const resource of resources.slice(0, MAX_APPLIED)) {
      const name = resource.name ?? resource.settings.name;
      const advice = await this.#onResource(resource);
      found.push(...advice.map((text) => `${resource.kind} ${name}: ${text}`));
    }
    return found;
  }

  async #onResource({ kind, model, settings }: Resource): Promise<readonly string[]> {
    if (kind === "model") return this.onModel(settings, [String(settings.name)]);
    if (kind === "hook") return this.onHook(model ?? null, settings);
    // A definition with a placeholder stands for many jobs.
    const isOne = kind === "scheduled_job" && !JSON.stringify(settings).includes("{{");
    return isOne ? this.onScheduledJob(settings) : [];
  }

  async #missing(path: string, load: Load | undefined, names: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const name of load ? names : [])
      try {
        await load!(this.store, name);
      } catch (error) {
        if (!(error instanceof TorusError) || error.code !== "not_found") throw error;
        found.push(`${path}: ${error.message}`);
      }
    return found;
  }
}
