// Anomalies: recorded episodes, newest first, and the feedback on them.
import type { AnomalyDetailView, AnomalyLanesView, AnomalyView } from "../api/anomaly.ts";
import { rarityOf, subjectOf } from "../core/anomaly/event.ts";
import { checkFeedback, type Feedback } from "../core/anomaly/feedback.ts";
import { laneStep, makeLanes } from "../core/anomaly/lanes.ts";
import { higherSeverity, severityOf } from "../core/anomaly/severity.ts";
import { invalid } from "../core/errors.ts";
import type { Listed } from "../core/input/listed.ts";
import { type Listing, parseListing, showViews } from "../core/input/listing.ts";
import { parseBoolean } from "../core/input/value.ts";
import { checkTagNames } from "../core/model/fleet.ts";
import { parseTags } from "../core/model/series-text.ts";
import { findAttributions } from "../live/episodes/attribution.ts";
import type { Clock } from "../runtime/clock.ts";
import { listAllDeliveries } from "../store/anomalies/deliveries.ts";
import {
  countEpisodes,
  type EpisodeQuery,
  type EpisodeRow,
  episodeOrigins,
  listEpisodes,
  listSpans,
  loadEpisode,
  saveFeedback,
} from "../store/anomalies/episodes.ts";
import type { Store } from "../store/db/open.ts";
import { loadModel } from "../store/models.ts";
import { viewAttribution } from "./changes.ts";
import { parseModels, viewHookDelivery } from "./deliveries.ts";
import {
  anomalyFilters,
  DEFAULT_CELLS,
  episodeStates,
  laneParameters,
  lengthParameters,
  MAX_ANOMALIES,
} from "./live/request.ts";
import { given, givenNumber, type Params, parseEnds, parseRange } from "./shared/range.ts";

/** Deliveries shown with an anomaly. */
const MAX_DELIVERIES = 100;

interface AnomalyDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class Anomalies {
  constructor(private readonly deps: AnomalyDeps) {}

  /**
   * Anomalies of one model, or of all including deleted ones, filtered by `from`..`to`, `state`, `origin`,
   * `min_score`, `judged`, `series`, `scope` and `model`, in pages or up to a `limit`.
   * @throws TorusError `not_found`, `invalid`
   */
  async list(params: Params, model?: string): Promise<Listed> {
    const { store } = this.deps;
    const settings = model === undefined ? undefined : (await loadModel(store, model)).settings;
    const listing = parseListing({ ...params, sort: undefined });
    const page = parseLimit(params) ?? listing.page;
    const models = model === undefined ? parseModels(params) : [model];
    const query = {
      ...parseEnds(params, this.deps.clock.now()),
      ...parseFilter(params),
      ...(models && { models }),
    };
    const rows = await listEpisodes(store, { ...query, ...(page && { page }) });
    // Only then: anomalies keep the tags of an earlier group_by.
    if (rows.length === 0 && query.series) checkTagNames(query.series, settings?.group_by);
    const total = page && (await countEpisodes(store, query));
    return showViews(rows.map(viewEpisode), listing, { total });
  }

  /** One anomaly with the changes that may have caused it, and its deliveries. @throws TorusError `not_found` */
  async get(id: string): Promise<AnomalyDetailView> {
    const { store } = this.deps;
    const row = await loadEpisode(store, id);
    const query = { models: [row.model], episode: id };
    const deliveries = await listAllDeliveries(store, query, { from: 0, to: MAX_DELIVERIES });
    const changes = await findAttributions(store, row);
    return {
      ...viewEpisode(row),
      changes: changes.map(viewAttribution),
      deliveries: deliveries.map(viewHookDelivery),
    };
  }

  /**
   * Per model the greatest peak in each cell of a range; `from` is required, `to` defaults to now, filters as of `list`.
   * @throws TorusError `invalid`
   */
  async lanes(params: Params): Promise<AnomalyLanesView> {
    const { store, clock } = this.deps;
    const nowAt = clock.now();
    const range = parseRange(params, { nowAt });
    const wanted = givenNumber(laneParameters, params, "cells") ?? DEFAULT_CELLS;
    const models = parseModels(params);
    const query = { ...range, ...parseFilter(params), ...(models && { models }) };
    const stepMs = laneStep(range, wanted);
    const spans = await listSpans(store, query, MAX_ANOMALIES + 1);
    const lanes = makeLanes(spans.slice(0, MAX_ANOMALIES), { range, stepMs, nowAt });
    return {
      from: range.fromAt / 1000,
      step: stepMs / 1000,
      cells: Math.ceil((range.toAt - range.fromAt) / stepMs),
      lanes: lanes.map(({ model, count, peaks }) => ({
        model,
        count,
        peak_score: Math.max(...peaks.map((peak) => peak ?? 0)),
        peaks: peaks.map((peak) => peak ?? null),
      })),
      ...(spans.length > MAX_ANOMALIES && { truncated: true as const }),
    };
  }

  /** Withdraws the feedback on an anomaly, if there is any. @throws TorusError `not_found` (model, anomaly) */
  async withdraw(model: string, id: string): Promise<void> {
    const { store } = this.deps;
    await loadModel(store, model);
    await saveFeedback(store, { model, id }, null);
  }

  /**
   * Stores the feedback on an anomaly; the next training uses it.
   * @throws TorusError `not_found` (model, anomaly), `invalid`
   */
  async judge(model: string, id: string, body: unknown): Promise<void> {
    const { store, clock } = this.deps;
    await loadModel(store, model);
    await saveFeedback(store, { model, id }, { ...checkFeedback(body), at: clock.now() });
  }
}

/** `limit` as the first page. @throws TorusError `invalid` */
function parseLimit(params: Params): Listing["page"] {
  const limit = givenNumber(lengthParameters, params, "limit");
  if (limit === undefined) return undefined;
  for (const key of ["page", "per_page"])
    if (given(params, key) !== undefined)
      throw invalid("limit", `must not be given beside ${key}: leave one of them out`);
  return { from: 0, to: limit };
}

type Filter = Pick<EpisodeQuery, "state" | "origin" | "minScore" | "judged" | "series" | "scope">;

function parseFilter(params: Params): Filter {
  const judged = given(params, "judged");
  const state = given(params, "state");
  const minScore = givenNumber(anomalyFilters, params, "min_score");
  const origin = given(params, "origin");
  const known = episodeStates.find((each) => each === state);
  const found = episodeOrigins.find((each) => each === origin);
  if (origin !== undefined && !found) throw invalid("origin", `must be one of ${episodeOrigins.join(", ")}`);
  if (state !== undefined && !known) throw invalid("state", `must be one of ${episodeStates.join(", ")}`);
  return {
    ...(known && { state: known }),
    ...(found && { origin: found }),
    ...(judged !== undefined && { judged: parseBoolean(judged, "judged") }),
    ...(minScore !== undefined && { minScore }),
    ...parseSubject(params),
  };
}

/** `series`: tags, all of which the series of an anomaly must have; `scope`. */
function parseSubject(params: Params): Pick<Filter, "series" | "scope"> {
  const series = given(params, "series");
  const scope = given(params, "scope");
  if (scope !== undefined && scope !== "fleet") throw invalid("scope", "must be fleet");
  return {
    ...(series !== undefined && { series: parseTags(String(series)) }),
    ...(scope !== undefined && { scope: "fleet" as const }),
  };
}

/** View of a stored episode. */
export function viewEpisode(row: EpisodeRow): AnomalyView {
  const { id, model, startAt, endAt, peakScore, features, peak, origin, closedBy, feedback } = row;
  const rarity = rarityOf(peak);
  return {
    id,
    model,
    ...subjectOf(row),
    start: startAt / 1000,
    end: endAt === null ? null : endAt / 1000,
    peak_score: peakScore,
    ...(rarity !== undefined && { peak_rarity: rarity }),
    severity: row.severity ?? higherSeverity(severityOf(features), severityOf(peak)),
    ...(row.confidence && { confidence: row.confidence }),
    features,
    peak,
    origin,
    ...(closedBy !== null && { closed_by: closedBy }),
    ...(feedback !== null && { feedback: viewFeedback(feedback) }),
  };
}

function viewFeedback({ at, ...feedback }: Feedback): NonNullable<AnomalyView["feedback"]> {
  return { ...feedback, at: at / 1000 };
}
