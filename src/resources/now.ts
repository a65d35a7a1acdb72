// Overview of a server: anomalies in progress, missing data, failures, bounds ahead, open judgements.
import type { AnomalyView } from "../api/anomaly.ts";
import type { ModelView } from "../api/model.ts";
import type { NowView } from "../api/server/now.ts";
import { stateOfModel } from "../core/model/model-state.ts";
import { storedSettings } from "../live/stored-settings.ts";
import { listUnits } from "../metrics/units.ts";
import type { Clock } from "../runtime/clock.ts";
import { listFailedSources } from "../store/anomalies/failed-sources.ts";
import type { Store } from "../store/db/open.ts";
import { readModels } from "../store/models.ts";
import { listForecastStates, listSilentFleets } from "../store/watched-forecasts.ts";
import type { Anomalies } from "./anomalies.ts";
import { viewForecasts } from "./live/view.ts";
import type { Models } from "./models/index.ts";
import { compareWorst } from "./shared/worst.ts";

/** Longest lists. */
const MAX_OPEN = 100;
const MAX_UNJUDGED = 10;
const MAX_MODELS = 100;
const MAX_BOUNDS = 50;
/** Anomalies in progress among which the worst are looked for: the newest. */
const RANKED = 1000;
/** States of live detection that are looked at for bounds. */
const MAX_STATES = 2000;

type Troubles = Pick<NowView, "states" | "sources" | "failing" | "silent" | "silent_series">;

interface NowDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly anomalies: Pick<Anomalies, "list">;
  readonly models: Pick<Models, "list">;
}

export class Now {
  constructor(private readonly deps: NowDeps) {}

  async read(): Promise<NowView> {
    const [troubles, anomalies, unjudged, bounds] = await Promise.all([
      this.readTroubles(),
      this.#readOpen(),
      this.#readUnjudged(),
      this.#readBounds(),
    ]);
    const { states, sources, failing, silent, silent_series } = troubles;
    const at = this.deps.clock.now() / 1000;
    return { at, states, anomalies, unjudged, sources, failing, silent, silent_series, bounds };
  }

  /** The numbers of models by state; sources and models that fail, and what is without data. */
  async readTroubles(): Promise<Troubles> {
    const { store } = this.deps;
    const [models, sources, fleets] = await Promise.all([
      this.#readTroubled(),
      listFailedSources(store),
      listSilentFleets(store, MAX_MODELS),
    ]);
    const { states, failing, silent } = models;
    const isSilent = new Set(silent.map(({ model }) => model));
    return {
      states,
      sources: sources.map(({ bucket, startedAt, code, reason }) => ({
        ...{ bucket, since: startedAt / 1000, code, message: reason },
      })),
      failing: { total: states.failing ?? 0, list: failing },
      silent: { total: states.no_data ?? 0, list: silent },
      silent_series: fleets.filter(({ model }) => !isSilent.has(model)),
    };
  }

  /** The numbers of models by state; those that fail and those without data, in one look: the counts read all models. */
  async #readTroubled() {
    const query = { state: "failing;no_data", sort: "state:1", page: 0, per_page: MAX_MODELS };
    const listed = await this.deps.models.list(query);
    const found = listed.entries as ModelView[];
    const states: NowView["states"] = Object.fromEntries(listed.states ?? []);
    return { states, failing: found.flatMap(viewFailing), silent: found.flatMap(viewSilent) };
  }

  async #readOpen(): Promise<NowView["anomalies"]> {
    const query = { state: "open", limit: RANKED };
    const { entries, total = entries.length } = await this.deps.anomalies.list(query);
    const open = entries as AnomalyView[];
    return { total, list: open.toSorted(compareWorst).slice(0, MAX_OPEN) };
  }

  async #readUnjudged(): Promise<NowView["unjudged"]> {
    const paging = { page: 0, per_page: MAX_UNJUDGED };
    const query = { state: "closed", judged: false, origin: "live", from: "now-7d", ...paging };
    const { entries, total } = await this.deps.anomalies.list(query);
    return { total: total!, list: entries as AnomalyView[] };
  }

  async #readBounds(): Promise<NowView["bounds"]> {
    const { store } = this.deps;
    const found = await listForecastStates(store, MAX_STATES);
    const rows = await readModels(store, [...new Set(found.map(({ model }) => model))]);
    const bounds = found.flatMap(({ model, series, state }) => {
      const row = rows.get(model);
      if (!row) return [];
      const { settings } = storedSettings(row);
      const units = listUnits(settings);
      const { forecasts = [] } = viewForecasts(state, settings);
      return forecasts.flatMap(({ first, error: _, code: __, ...rest }) => {
        const unit = units[rest.feature];
        const about = { model, ...(series && { series }), ...(unit && { unit }) };
        return first === undefined ? [] : [{ ...about, ...rest, first }];
      });
    });
    const list = bounds.toSorted((a, b) => a.first - b.first).slice(0, MAX_BOUNDS);
    return { total: bounds.length, list };
  }
}

function viewFailing(model: ModelView): NowView["failing"]["list"][number][] {
  const error = model.live?.last_error;
  if (!error || stateOfModel(model) !== "failing") return [];
  return [
    { model: String(model.settings.name), code: error.code, message: error.message, since: error.timestamp },
  ];
}

function viewSilent(model: ModelView): NowView["silent"]["list"][number][] {
  if (stateOfModel(model) !== "no_data") return [];
  const since = model.live?.silence?.since;
  return [{ model: String(model.settings.name), ...(since !== undefined && { since }) }];
}
