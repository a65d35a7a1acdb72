// Trained model that answers for a request: the version, or of a fleet the version with the fit of one series.

import { TorusError } from "../../../core/errors.ts";
import { type SeriesTags, seriesKeyOf } from "../../../core/model/fleet.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import type { ModelKind } from "../../../models/kind.ts";
import type { Store } from "../../../store/db/open.ts";
import { loadSeriesFits, type SeriesFit } from "../../../store/fleets/version-series.ts";
import { type LoadedVersion, loadVersion } from "../../../store/versions.ts";

interface ModelRequest {
  readonly model: string;
  /** Name of the version. */
  readonly version: string;
  readonly series?: SeriesTags | undefined;
}

/**
 * Loads a version, and fits it out for a series.
 * @throws TorusError `not_found` for a version or a series that is not there, `weights_corrupt`
 */
export async function loadTrained(
  { store, kind }: { readonly store: Store; readonly kind: ModelKind },
  { model, version: name, series }: ModelRequest,
): Promise<LoadedVersion> {
  const version = await loadVersion(store, model, name);
  if (!series) return version;
  const { settings } = version;
  const key = seriesKeyOf(settings.group_by ?? Object.keys(series), series);
  const fit = await findFit(store, { model, version: name }, key);
  if (fit) return { ...version, ...kind.fleet.modelOf(version, fit.parameters) };
  const way = "GET /models/<model>/series lists those there are; a new one needs points first";
  throw new TorusError(
    "not_found",
    `version ${name} of model ${model} has no series ${describeSeries(series)}: ${way}`,
  );
}

async function findFit(
  store: Store,
  ref: { readonly model: string; readonly version: string },
  key: string,
): Promise<SeriesFit | undefined> {
  for await (const [fit] of loadSeriesFits(store, ref, [key])) return fit;
  return undefined;
}
