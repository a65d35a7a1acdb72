// Hooks: whom a model tells of its anomalies; their secrets go in and never come out.
import { invalid } from "../core/errors.ts";
import { check } from "../core/schema.ts";
import { parseBoolean } from "../core/value.ts";
import {
  checkHook,
  HookName,
  type HookSettings,
  type HookType,
  keepSecrets,
  viewHook,
} from "../hooks/index.ts";
import type { Clock } from "../jobs/clock.ts";
import { type HookContent, listHooks, loadHook, putHook, removeHook } from "../store/hooks.ts";
import { loadModel } from "../store/models.ts";
import type { Store } from "../store/open.ts";
import type { Params } from "./range.ts";

export interface HookDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class Hooks {
  constructor(private readonly deps: HookDeps) {}

  /** Names of the hooks of a model, or with `full` the hooks. @throws TorusError `not_found`, `invalid` */
  async list(model: string, params: Params = {}): Promise<(string | HookSettings)[]> {
    const full = parseBoolean(params.full ?? false, "full");
    const rows = await listHooks(this.deps.store, model);
    return rows.map((row) => (full ? viewHook(toSettings(row.name, row)) : row.name));
  }

  /** @throws TorusError `not_found` */
  async get(model: string, name: string): Promise<HookSettings> {
    const hook = await loadHook(this.deps.store, { model, name: checkName(name) });
    return viewHook(toSettings(hook.name, hook));
  }

  /** Attaches a hook, or replaces the one of its name. @throws TorusError `not_found` for the model, `invalid` */
  async put(model: string, body: unknown): Promise<void> {
    await loadModel(this.deps.store, model);
    await this.#save(model, checkHook(body));
  }

  /** The same for a hook whose name is known; the body need not repeat it. @throws TorusError `not_found`, `invalid` */
  async replace(model: string, name: string, body: unknown): Promise<void> {
    await loadModel(this.deps.store, model);
    checkName(name);
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw invalid("", "a hook must be a JSON object with type and config");
    const hook = checkHook({ name, ...body });
    if (hook.name !== name) throw invalid("name", "must be the name in the path, or left out");
    await this.#save(model, hook);
  }

  /** @throws TorusError `not_found` */
  async remove(model: string, name: string): Promise<void> {
    await removeHook(this.deps.store, { model, name: checkName(name) });
  }

  async #save(model: string, hook: HookSettings): Promise<void> {
    const { name } = hook;
    const change = (old: HookContent | undefined): HookContent => {
      const { type, config } = keepSecrets(old && toSettings(name, old), hook);
      return { kind: type, config: { ...config } };
    };
    await putHook(this.deps.store, { model, name }, { at: this.deps.clock.now(), change });
  }
}

function checkName(name: string): string {
  return check(HookName, name, "name");
}

function toSettings(name: string, { kind, config }: HookContent): HookSettings {
  return { name, type: kind as HookType, config };
}

/** Hooks over a store. */
export function createHooks(deps: HookDeps): Hooks {
  return new Hooks(deps);
}
