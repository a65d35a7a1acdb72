// Cache of trained versions in use by live models, one per model, bounded in bytes.
import type { Store } from "../store/db/open.ts";
import { type LoadedVersion, loadVersion } from "../store/versions.ts";

/** Of weights alone; the JSON of the parameters is about half as long. */
const MAX_BYTES = 64 * 1024 * 1024;

export class VersionCache {
  readonly #byModel = new Map<string, LoadedVersion>();
  #bytes = 0;

  constructor(
    private readonly store: Store,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /**
   * @param version `createdAt` distinguishes versions of the same name of models deleted since
   * @throws TorusError `not_found`, `weights_corrupt`
   */
  async load(
    model: string,
    { name, createdAt }: Pick<LoadedVersion, "name" | "createdAt">,
  ): Promise<LoadedVersion> {
    const known = this.#byModel.get(model);
    if (known?.name === name && known.createdAt === createdAt) return known;
    this.forget(model);
    const version = shareWeights(await loadVersion(this.store, model, name));
    this.#keep(model, version);
    return version;
  }

  forget(model: string): void {
    const known = this.#byModel.get(model);
    if (!known) return;
    this.#byModel.delete(model);
    this.#bytes -= known.weights.byteLength;
  }

  /** A full cache evicts nothing: models are evaluated in rotation, so the evicted one would be next. */
  #keep(model: string, version: LoadedVersion): void {
    const bytes = this.#bytes + version.weights.byteLength;
    if (bytes > this.maxBytes) return;
    this.forget(model);
    this.#byModel.set(model, version);
    this.#bytes = bytes;
  }
}

/** Workers read the weights in place: thousands of models and series would each send a copy. */
function shareWeights(version: LoadedVersion): LoadedVersion {
  const { weights } = version;
  const shared = new Float32Array(new SharedArrayBuffer(weights.byteLength));
  shared.set(weights);
  return { ...version, weights: shared };
}
