// Live fleets in memory, one per model: loaded with the first evaluation, and again where another life or version began.
import type { KindMemory, ModelKind } from "../../models/kind.ts";
import type { Store } from "../../store/db/open.ts";
import { loadLiveSeries } from "../../store/fleets/live-series.ts";
import { packCompact, unpackJson } from "../../store/fleets/packed-json.ts";
import { loadSeriesFits, type SeriesFit } from "../../store/fleets/version-series.ts";
import type { LoadedVersion } from "../../store/versions.ts";
import type { VersionCache } from "../versions.ts";
import { type FittedSeries, type FleetSeries, type LiveFleet, restoreSeries } from "./live-fleet.ts";

interface CacheDeps {
  readonly store: Store;
  readonly kind: ModelKind;
  readonly versions: VersionCache;
}

interface FleetRef {
  readonly model: string;
  /** Life from start to stop. */
  readonly run: string;
  readonly version: Pick<LoadedVersion, "name" | "createdAt">;
}

export class FleetCache {
  readonly #byModel = new Map<string, LiveFleet>();

  constructor(private readonly deps: CacheDeps) {}

  /** @throws TorusError `not_found`, `weights_corrupt`, `internal` where the state is damaged */
  async load({ model, run, version: active }: FleetRef): Promise<LiveFleet> {
    const known = this.#byModel.get(model);
    const isSame = known?.version.name === active.name && known.version.createdAt === active.createdAt;
    if (known?.run === run && isSame) return known;
    const version = await this.deps.versions.load(model, active);
    const series = known?.run === run ? known.series : await this.#loadSeries(model, run);
    const fleet = { run, version, series, fits: await this.#loadFits(model, version), forecasts: new Map() };
    this.#byModel.set(model, fleet);
    return fleet;
  }

  /** The fleet as the last evaluation left it; undefined where it is not in memory. */
  get(model: string): LiveFleet | undefined {
    return this.#byModel.get(model);
  }

  /** Drops what may differ from the store. */
  forget(model: string): void {
    this.#byModel.delete(model);
  }

  async #loadSeries(model: string, run: string): Promise<Map<string, FleetSeries>> {
    const series = new Map<string, FleetSeries>();
    for await (const page of loadLiveSeries(this.deps.store, model))
      for (const row of page) series.set(row.key, restoreSeries(row, run));
    return series;
  }

  async #loadFits(model: string, version: LoadedVersion): Promise<Map<string, FittedSeries>> {
    const fits = new Map<string, FittedSeries>();
    for await (const page of loadSeriesFits(this.deps.store, { model, version: version.name }))
      for (const { key, ...fit } of page) fits.set(key, keepFit(this.deps.kind, version, fit));
    return fits;
  }
}

type StoredFit = Pick<SeriesFit, "points" | "fittedAt" | "packed">;

/** A fit as it is kept in memory. */
export function keepFit(
  kind: ModelKind,
  version: LoadedVersion,
  // Named one by one: what closures capture stays in memory, and a fit from the store holds its parameters, too.
  { points, fittedAt, packed }: StoredFit,
): FittedSeries {
  const { fleet } = kind;
  const settle = (memory: KindMemory) => {
    const parameters = fleet.dropRemembered(unpackJson(packed), memory);
    return keepPacked(kind, version, { points, fittedAt, packed: packCompact(parameters) });
  };
  return { ...keepPacked(kind, version, { points, fittedAt, packed }), settle };
}

function keepPacked(
  kind: ModelKind,
  version: LoadedVersion,
  { points, fittedAt, packed }: StoredFit,
): Omit<FittedSeries, "settle"> {
  const makeModel = () => kind.fleet.modelOf(version, unpackJson(packed));
  return { points, fittedAt, history: kind.historyOf(makeModel()), makeModel };
}
