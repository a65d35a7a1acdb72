// Cache of the effective settings of live models; one entry per model, read again when its revision changes.
import { storedSettings } from "../core/model/effective-settings.ts";
import type { Store } from "../store/db/open.ts";
import { loadModel, type ModelRow } from "../store/models.ts";
import { type LiveSettings, parseLiveSettings } from "./live-settings.ts";

/** Effective settings of a model, and its active version. */
export interface EffectiveSettings extends LiveSettings {
  /** null = not trained. */
  readonly version: Pick<NonNullable<ModelRow["version"]>, "name" | "createdAt"> | null;
}

export class SettingsCache {
  readonly #byModel = new Map<string, { readonly revision: string; readonly effective: EffectiveSettings }>();

  constructor(private readonly deps: { readonly store: Store }) {}

  /** @param revision of the row, see `DueRow`. @throws TorusError `not_found` */
  async load(model: string, revision: string): Promise<EffectiveSettings> {
    const known = this.#byModel.get(model);
    if (known?.revision === revision) return known.effective;
    const row = await loadModel(this.deps.store, model);
    const { version } = row;
    const effective: EffectiveSettings = {
      ...parseLiveSettings(storedSettings(row)),
      version: version && { name: version.name, createdAt: version.createdAt },
    };
    this.#byModel.set(model, { revision, effective });
    return effective;
  }

  forget(model: string): void {
    this.#byModel.delete(model);
  }
}
