// Transfer of models: export of a network as ONNX, export and import of a whole model as a bundle.
import { invalid, TorusError } from "../core/errors.ts";
import { bucketIntervalOf } from "../core/model/bucket-interval.ts";
import { effectiveSettings } from "../core/model/effective-settings.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { formatDate } from "../core/time/time.ts";
import type { Compute, ModelKind } from "../models/kind.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import type { NewSeriesFit, SeriesFits } from "../store/fleets/fit-sets.ts";
import { loadSeriesFits } from "../store/fleets/version-series.ts";
import type { ModelRow } from "../store/models.ts";
import { createTrainedModel, type LoadedVersion, loadVersion } from "../store/versions.ts";
import { withActiveVersions } from "./models/active-versions.ts";
import { type ModelBundle, readBundle, toBundle, within } from "./models/bundle.ts";
import { packSeries } from "./models/bundle-series.ts";
import { parseName } from "./models/params.ts";
import { loadBuckets } from "./models/settings.ts";
import type { Params } from "./shared/range.ts";

/** Of the trial run of an imported version. */
const TRIAL_DEADLINE_MS = 30_000;

interface TransferDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly kind: Pick<ModelKind, "exportNetwork" | "checkVersion" | "tryVersion" | "fleet">;
  readonly compute: Compute;
  /** Version of this server. */
  readonly serverVersion: string;
  /** Called when models were created. */
  readonly onChange?: (names: readonly string[]) => Promise<void>;
}

/** A file to download. */
interface NetworkFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export class ModelTransfer {
  constructor(private readonly deps: TransferDeps) {}

  /**
   * The network of one feature: parameters `feature` (required if there are several), `version` (default: the active one).
   * @throws TorusError `not_found`, `not_trained`, `invalid`, `weights_corrupt`
   */
  async exportNetwork(name: string, params: Params): Promise<NetworkFile> {
    const { kind, serverVersion } = this.deps;
    const { row, version } = await this.#load(name, params);
    const settings = effectiveSettings(row.settings, version.settings);
    const feature = chooseFeature(params, settings);
    const properties = describeVersion(settings, version);
    const input = { settings, feature, producerVersion: serverVersion, properties };
    const bytes = kind.exportNetwork(version, input);
    return { name: `${name}-${version.name}-${feature}.onnx`, bytes: new Uint8Array(bytes) };
  }

  /**
   * The model's settings with one version: parameter `version` (default: the active one). Hooks are left out: they hold secrets.
   * @throws TorusError `not_found`, `not_trained`, `invalid`, `weights_corrupt`
   */
  async exportBundle(name: string, params: Params): Promise<ModelBundle> {
    const { store, serverVersion: exportedBy } = this.deps;
    const requested = parseName(params, "version");
    return withActiveVersions(store, [name], async ([row]) => {
      const { settings } = row!;
      const version = await loadChosen(store, row!, requested);
      const series = await packSeries(loadSeriesFits(store, { model: name, version: version.name }));
      return toBundle({ settings, version, series, exportedBy });
    });
  }

  /**
   * Creates a model from a bundle: trained, not live, without hooks.
   * @param params `name` (default: the one in the bundle)
   * @throws TorusError `invalid` with the path in the bundle, `already_exists`, `canceled`, `worker_crashed`
   */
  async importBundle(body: unknown, params: Params): Promise<void> {
    const { store, clock, kind, compute, onChange } = this.deps;
    const name = parseName(params, "name");
    const buckets = await loadBuckets(store);
    const { settings, version } = await readBundle(body, { name, buckets });
    within("version", () => kind.checkVersion(version));
    const context = { compute, signal: AbortSignal.timeout(TRIAL_DEADLINE_MS), onProgress: () => {} };
    await kind.tryVersion(version, context).catch((error) => within("version", () => raise(error)));
    const model = { name: settings.name, settings };
    const series =
      version.series &&
      checked(version.series, ({ parameters }) => kind.fleet.checkSeries(version, parameters));
    await createTrainedModel(
      store,
      { model, version: { ...version, ...(series && { series }) } },
      clock.now(),
    );
    await onChange?.([settings.name]);
  }

  #load(name: string, params: Params): Promise<{ row: ModelRow; version: LoadedVersion }> {
    const { store } = this.deps;
    const requested = parseName(params, "version");
    return withActiveVersions(store, [name], async ([row]) => {
      return { row: row!, version: await loadChosen(store, row!, requested) };
    });
  }
}

/** The series, each checked before it is taken. @throws TorusError `invalid` with a path below `series` */
async function* checked(fits: SeriesFits, check: (fit: NewSeriesFit) => void): AsyncGenerator<NewSeriesFit> {
  for await (const fit of fits) {
    within("series", () => check(fit));
    yield fit;
  }
}

/** The version that was asked for, or the active one. */
function loadChosen(store: Store, row: ModelRow, requested: string | undefined): Promise<LoadedVersion> {
  const version = requested ?? row.activeVersion;
  if (version !== null) return loadVersion(store, row.name, version);
  throw new TorusError("not_trained", `model ${row.name} is not trained: train it first`);
}

function raise(error: unknown): never {
  throw error;
}

function chooseFeature(params: Params, { features }: ModelSettings): string {
  const names = features.map(({ name }) => name);
  const requested = parseName(params, "feature");
  if (requested === undefined && names.length === 1) return names[0]!;
  if (requested !== undefined && names.includes(requested)) return requested;
  throw invalid("feature", `must be one of the version's features: ${names.join(", ")}`);
}

/** Metadata that a program needs to prepare windows, as texts. */
function describeVersion(settings: ModelSettings, version: LoadedVersion): Record<string, string> {
  return {
    model: version.model,
    version: version.name,
    bucket_interval: String(bucketIntervalOf(settings) / 1000),
    trained_from: formatDate(version.fromAt),
    trained_to: formatDate(version.toAt),
  };
}
