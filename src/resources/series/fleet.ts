// Series of fleets: of a live model as live detection sees them, else those of its active version.
import type { FleetSeriesDetailView, FleetSeriesView } from "../../api/fleet.ts";
import { TorusError } from "../../core/errors.ts";
import type { Listed } from "../../core/input/listed.ts";
import { showViews } from "../../core/input/listing.ts";
import { parseSeries, requireGroupBy, seriesKeyOf } from "../../core/model/fleet.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { restoreSeries } from "../../live/fleet/live-fleet.ts";
import { stateOf } from "../../live/state.ts";
import { storedSettings } from "../../live/stored-settings.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { findLiveSeries } from "../../store/fleets/live-series.ts";
import { countLiveSeries, listLiveSeries, listSeriesEpisodes } from "../../store/fleets/series-list.ts";
import { countSeriesFits, findSeriesFits, listSeriesFits } from "../../store/fleets/version-series.ts";
import { type LiveRow, loadLive } from "../../store/live.ts";
import { loadModel, type ModelRow } from "../../store/models.ts";
import { readFalseAlarms } from "../live/false-alarms.ts";
import type { Params } from "../shared/range.ts";
import { parseSeriesSearch, type SeriesSearch } from "./fleet-search.ts";
import { viewFit, viewLiveDetail, viewLiveSeries } from "./fleet-view.ts";

interface FleetDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

/** Part of a list. */
interface Found {
  readonly views: readonly FleetSeriesView[];
  /** By state, of all that `q` finds. */
  readonly counts: ReadonlyMap<string, number>;
}

export class FleetSeries {
  constructor(private readonly deps: FleetDeps) {}

  /**
   * A page of the series of a model that match `state` and `q`, with the number in each state.
   * @throws TorusError `not_found`, `not_supported` for a model without `group_by`, `invalid`
   */
  async list(model: string, params: Params = {}): Promise<Listed> {
    const { store } = this.deps;
    const row = await loadModel(store, model);
    requireGroupBy(storedSettings(row).settings);
    const { search, listing } = parseSeriesSearch(params);
    const isLive = (await loadLive(store, model)) !== undefined;
    const { views, counts } = isLive ? await this.#findLive(row, search) : await this.#findFits(row, search);
    const { state } = search;
    const total = state ? (counts.get(state) ?? 0) : counts.values().reduce((sum, n) => sum + n, 0);
    return showViews(views, listing, { total, states: counts });
  }

  /** One series, by its tags as in `host:a,cpu:0`. @throws TorusError `not_found`, `not_supported`, `invalid` */
  async get(model: string, text: string): Promise<FleetSeriesDetailView> {
    const { store } = this.deps;
    const row = await loadModel(store, model);
    const groupBy = requireGroupBy(storedSettings(row).settings);
    const tags = parseSeries(text, groupBy);
    const key = seriesKeyOf(groupBy, tags);
    const live = await loadLive(store, model);
    const view = live ? await this.#getLive(row, live, key) : await this.#getFit(row, key);
    if (view) return view;
    const way = `GET /models/${model}/series lists those there are`;
    throw new TorusError("not_found", `model ${model} has no series ${describeSeries(tags)}: ${way}`);
  }

  async #findLive(row: ModelRow, { state, q, sort, page }: SeriesSearch): Promise<Found> {
    const { store } = this.deps;
    const counts = new Map(Object.entries(await countLiveSeries(store, row.name, { ...(q && { q }) })));
    if (state === "stopped") return { views: [], counts };
    const query = { page, ...(state && { status: state }), ...(q && { q }), ...(sort && { sort }) };
    const rows = await listLiveSeries(store, row.name, query);
    const keys = rows.map(({ key }) => key);
    const episodes = await listSeriesEpisodes(store, row.name, keys);
    const fits = await this.#findPoints(row, keys);
    const views = rows.map((each) =>
      viewLiveSeries(each, { fitted: fits.get(each.key), anomaly: episodes.get(each.key) }),
    );
    return { views, counts };
  }

  async #findFits(
    { name: model, version }: ModelRow,
    { state, q, sort, page }: SeriesSearch,
  ): Promise<Found> {
    if (!version) return { views: [], counts: new Map() };
    const { store } = this.deps;
    const ref = { model, version: version.name };
    const count = await countSeriesFits(store, ref, q);
    const counts = new Map(count > 0 ? [["stopped", count]] : []);
    if (state && state !== "stopped") return { views: [], counts };
    // Without a score or a newest point, their order is that of the keys.
    const descending = sort?.by === "key" && sort.descending;
    const fits = await listSeriesFits(store, ref, { page, descending, ...(q && { q }) });
    return { views: fits.map(viewFit), counts };
  }

  async #getLive(row: ModelRow, live: LiveRow, key: string): Promise<FleetSeriesDetailView | undefined> {
    const found = await findLiveSeries(this.deps.store, row.name, key);
    if (!found) return undefined;
    const fitted = (await this.#findPoints(row, [key])).get(key);
    const stored = storedSettings(row);
    const { settings, offsetMs: fixedMs } = stored;
    const { run, offsetMs = 0 } = stateOf(live);
    const { state } = restoreSeries(found, run);
    const lagMs = this.deps.clock.now() - (fixedMs ?? offsetMs) - found.windowAt;
    const { tags, firstSeenAt: sinceAt, windowAt: untilAt } = found;
    const watched = { model: row.name, sinceAt, untilAt, series: tags, count: 1 };
    const falseAlarms = live.options.detect && (await readFalseAlarms(this.deps.store, watched, stored));
    const view = viewLiveDetail(found, { state, settings, fitted, lagMs });
    return { ...view, ...(falseAlarms && { false_alarms: falseAlarms }) };
  }

  async #getFit({ name: model, version }: ModelRow, key: string): Promise<FleetSeriesView | undefined> {
    if (!version) return undefined;
    const fits = await findSeriesFits(this.deps.store, { model, version: version.name }, [key]);
    const fit = fits.get(key);
    return fit && viewFit(fit);
  }

  /** Points that the active version was fitted to, by key. */
  async #findPoints(
    { name: model, version }: ModelRow,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (!version) return new Map();
    const fits = await findSeriesFits(this.deps.store, { model, version: version.name }, keys);
    return new Map([...fits].map(([key, { points }]) => [key, points]));
  }
}
