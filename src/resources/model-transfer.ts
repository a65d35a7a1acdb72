// Models that leave and arrive: one network as an ONNX file, or a whole model as a bundle for another server.
import { invalid, TorusError } from "../core/errors.ts";
import { bucketIntervalOf } from "../core/model/bucket-interval.ts";
import { effectiveSettings } from "../core/model/effective-settings.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { formatDate } from "../core/time/time.ts";
import type { Compute, ModelKind } from "../models/kind.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import type { ModelRow } from "../store/models.ts";
import { createTrainedModel, type LoadedVersion, loadVersion } from "../store/versions.ts";
import { withActiveVersions } from "./models/active-versions.ts";
import { type ModelBundle, readBundle, toBundle, within } from "./models/bundle.ts";
import { parseName } from "./models/params.ts";
import { loadBuckets } from "./models/settings.ts";
import type { Params } from "./shared/range.ts";

/** Longest trial of a version that arrives, ms. */
const TRIAL_MS = 30_000;

export interface TransferDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly kinds: Readonly<
    Record<ModelSettings["type"], Pick<ModelKind, "exportNetwork" | "checkVersion" | "tryVersion">>
  >;
  readonly compute: Compute;
  /** Of this server. */
  readonly serverVersion: string;
  /** Told of models that were created. */
  readonly onChange?: (names: readonly string[]) => Promise<void>;
}

/** A file to be saved under a name. */
export interface NetworkFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export class ModelTransfer {
  constructor(private readonly deps: TransferDeps) {}

  /**
   * The network of one feature: `feature`, required where there are several, of `version`, default the active one.
   * @throws TorusError `not_found`, `not_trained`, `invalid`, `weights_corrupt`
   */
  async exportNetwork(name: string, params: Params): Promise<NetworkFile> {
    const { kinds, serverVersion } = this.deps;
    const { row, version } = await this.#load(name, params);
    const settings = effectiveSettings(row.settings, version.settings);
    const feature = chooseFeature(params, settings);
    const properties = describeVersion(settings, version);
    const input = { settings, feature, producerVersion: serverVersion, properties };
    const bytes = kinds[settings.type].exportNetwork(version, input);
    return { name: `${name}-${version.name}-${feature}.onnx`, bytes: new Uint8Array(bytes) };
  }

  /**
   * The model's settings with one version: `version`, default the active one. Hooks stay behind: they hold secrets.
   * @throws TorusError `not_found`, `not_trained`, `invalid`, `weights_corrupt`
   */
  async exportBundle(name: string, params: Params): Promise<ModelBundle> {
    const { row, version } = await this.#load(name, params);
    const settings = row.settings;
    return toBundle({ settings, version, exportedBy: this.deps.serverVersion });
  }

  /**
   * Creates a model from a bundle; it is trained at once, not live, and without hooks.
   * @param params `name`: what it is to be called, default what it was
   * @throws TorusError `invalid` with the path in the bundle, `already_exists`, `canceled`, `worker_crashed`
   */
  async importBundle(body: unknown, params: Params): Promise<void> {
    const { store, clock, kinds, compute, onChange } = this.deps;
    const name = parseName(params, "name");
    const buckets = await loadBuckets(store);
    const { settings, version } = readBundle(body, { name, buckets });
    const kind = kinds[version.settings.type];
    within("version", () => kind.checkVersion(version));
    const context = { compute, signal: AbortSignal.timeout(TRIAL_MS), onProgress: () => {} };
    await kind.tryVersion(version, context).catch((error) => within("version", () => raise(error)));
    const model = { name: settings.name, settings };
    await createTrainedModel(store, { model, version }, clock.now());
    await onChange?.([settings.name]);
  }

  #load(name: string, params: Params): Promise<{ row: ModelRow; version: LoadedVersion }> {
    const { store } = this.deps;
    return withActiveVersions(store, [name], async ([row]) => {
      const wanted = parseName(params, "version") ?? row!.activeVersion;
      if (wanted === null)
        throw new TorusError("not_trained", `model ${name} is not trained: train it first`);
      return { row: row!, version: await loadVersion(store, name, wanted.slice(0, 64)) };
    });
  }
}

function raise(error: unknown): never {
  throw error;
}

function chooseFeature(params: Params, { features }: ModelSettings): string {
  const names = features.map(({ name }) => name);
  const wanted = parseName(params, "feature");
  if (wanted === undefined && names.length === 1) return names[0]!;
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  throw invalid("feature", `must be one of the version's features: ${names.join(", ")}`);
}

/** What a program needs that gets windows ready, as texts. */
function describeVersion(settings: ModelSettings, version: LoadedVersion): Record<string, string> {
  return {
    model: version.model,
    version: version.name,
    bucket_interval: String(bucketIntervalOf(settings) / 1000),
    trained_from: formatDate(version.fromAt),
    trained_to: formatDate(version.toAt),
  };
}
