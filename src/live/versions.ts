// Trained versions in memory, up to a number of bytes.
import type { Store } from "../store/db/open.ts";
import { type LoadedVersion, loadVersion } from "../store/versions.ts";

/** Of weights; their parameters take half as much again. To load a version costs 0.3 ms, to keep 10 000 a gigabyte. */
const MAX_BYTES = 128 * 1024 * 1024;

export class VersionCache {
  readonly #byModel = new Map<string, LoadedVersion>();
  #bytes = 0;

  constructor(
    private readonly store: Store,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /**
   * A version that does not change: `createdAt` tells it from one of the same name of a model deleted since.
   * @throws TorusError `not_found`, `weights_corrupt`
   */
  async load(
    model: string,
    { name, createdAt }: Pick<LoadedVersion, "name" | "createdAt">,
  ): Promise<LoadedVersion> {
    const known = this.#byModel.get(model);
    if (known?.name === name && known.createdAt === createdAt) return known;
    this.forget(model);
    const version = await loadVersion(this.store, model, name);
    this.#keep(model, version);
    return version;
  }

  forget(model: string): void {
    const known = this.#byModel.get(model);
    if (!known) return;
    this.#byModel.delete(model);
    this.#bytes -= known.weights.byteLength;
  }

  /** Models take turns: to make room for one would throw out those that come next. */
  #keep(model: string, version: LoadedVersion): void {
    const bytes = this.#bytes + version.weights.byteLength;
    if (bytes > this.maxBytes) return;
    this.forget(model);
    this.#byModel.set(model, version);
    this.#bytes = bytes;
  }
}
