// Cache of live models by revision, for a store that nodes share: it reads rows anew for every answer.
import type { Store } from "../store/db/open.ts";
import { loadModel, type ModelRow } from "../store/models.ts";

export class ModelCache {
  readonly #byModel = new Map<string, { readonly revision: string; readonly row: ModelRow }>();

  constructor(private readonly store: Store) {}

  /** @param revision of settings and active version, see `DueRow`. @throws TorusError `not_found` */
  async load(model: string, revision: string): Promise<ModelRow> {
    // A single server has its rows in memory.
    if (!this.store.engine.isShared) return loadModel(this.store, model);
    const known = this.#byModel.get(model);
    if (known?.revision === revision) return known.row;
    const row = await loadModel(this.store, model);
    this.#byModel.set(model, { revision, row });
    return row;
  }

  forget(model: string): void {
    this.#byModel.delete(model);
  }
}
