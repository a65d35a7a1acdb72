// Settings in force of live models, parsed once per change: every round asks for them.
import type { ModelSettings } from "../core/model/model.ts";
import type { Store } from "../store/db/open.ts";
import { loadModel, type ModelRow } from "../store/models.ts";

export type SettingsFor = (current: ModelSettings, trained: ModelSettings) => ModelSettings;

/** What a round needs of a model. */
export interface InForce {
  readonly settings: ModelSettings;
  /** The version that answers; null = not trained. */
  readonly version: Pick<NonNullable<ModelRow["version"]>, "name" | "createdAt"> | null;
}

/** What shapes a version as it was trained, everything else as it is now; of a model without a version as it is. */
export function settingsInForce(
  { settingsFor }: { readonly settingsFor: SettingsFor },
  { settings, version }: Pick<ModelRow, "settings" | "version">,
): ModelSettings {
  const current = settings as ModelSettings;
  return version ? settingsFor(current, version.settings as ModelSettings) : current;
}

export class SettingsCache {
  readonly #byModel = new Map<string, { readonly stamp: string; readonly inForce: InForce }>();

  constructor(private readonly deps: { readonly store: Store; readonly settingsFor: SettingsFor }) {}

  /** @param stamp of the row, see `DueRow`. @throws TorusError `not_found` */
  async load(model: string, stamp: string): Promise<InForce> {
    const known = this.#byModel.get(model);
    if (known?.stamp === stamp) return known.inForce;
    const row = await loadModel(this.deps.store, model);
    const { version } = row;
    const inForce: InForce = {
      settings: settingsInForce(this.deps, row),
      version: version && { name: version.name, createdAt: version.createdAt },
    };
    this.#byModel.set(model, { stamp, inForce });
    return inForce;
  }

  forget(model: string): void {
    this.#byModel.delete(model);
  }
}
