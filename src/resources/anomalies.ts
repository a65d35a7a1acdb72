// Anomalies: recorded episodes, newest first, and the feedback on them.
import type { AnomalyView } from "../api/anomaly.ts";
import { rarityOf } from "../core/anomaly/event.ts";
import { checkFeedback, type Feedback } from "../core/anomaly/feedback.ts";
import { higherSeverity, severityOf } from "../core/anomaly/severity.ts";
import { invalid } from "../core/errors.ts";
import { type Listing, parseListing, project, withTotal } from "../core/input/listing.ts";
import { parseInteger, parseNumber } from "../core/input/value.ts";
import { parseDate } from "../core/time/time.ts";
import type { Clock } from "../runtime/clock.ts";
import {
  countEpisodes,
  type EpisodeQuery,
  type EpisodeRow,
  episodeOrigins,
  listEpisodes,
  saveFeedback,
} from "../store/anomalies/episodes.ts";
import type { Store } from "../store/db/open.ts";
import { loadModel } from "../store/models.ts";
import { given, type Params } from "./shared/range.ts";

export const episodeStates = ["open", "closed"] as const;
/** Largest `limit` of a list. */
export const MAX_ANOMALIES = 10_000;

interface AnomalyDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class Anomalies {
  constructor(private readonly deps: AnomalyDeps) {}

  /**
   * Anomalies of one model, or of all including deleted ones, filtered by `from`..`to`, `state`, `origin` and
   * `min_score`, in pages or up to a `limit`.
   * @throws TorusError `not_found`, `invalid`
   */
  async list(params: Params, model?: string): Promise<object[]> {
    const { store } = this.deps;
    if (model !== undefined) await loadModel(store, model);
    const listing = parseListing({ ...params, sort: undefined });
    const page = parseLimit(params) ?? listing.page;
    const query = { ...this.#range(params), ...parseFilter(params), ...(model !== undefined && { model }) };
    const rows = await listEpisodes(store, { ...query, ...(page && { page }) });
    const views = rows.map((row) => project(viewEpisode(row), listing));
    return withTotal(views, page && (await countEpisodes(store, query)));
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

  #range(params: Params): { fromAt?: number; toAt?: number } {
    const nowAt = this.deps.clock.now();
    const dateOf = (key: string) => {
      const value = given(params, key);
      return value === undefined ? undefined : parseDate(value, nowAt, key);
    };
    const [fromAt, toAt] = [dateOf("from"), dateOf("to")];
    if (fromAt !== undefined && toAt !== undefined && fromAt > toAt)
      throw invalid("from", "must not be after to");
    return { ...(fromAt !== undefined && { fromAt }), ...(toAt !== undefined && { toAt }) };
  }
}

/** `limit` as the first page. @throws TorusError `invalid` */
function parseLimit(params: Params): Listing["page"] {
  const limit = given(params, "limit");
  if (limit === undefined) return undefined;
  for (const key of ["page", "per_page"])
    if (given(params, key) !== undefined)
      throw invalid("limit", `must not be given beside ${key}: leave one of them out`);
  return { from: 0, to: parseInteger(limit, "limit", { min: 1, max: MAX_ANOMALIES }) };
}

function parseFilter(params: Params): Pick<EpisodeQuery, "state" | "origin" | "minScore"> {
  const state = given(params, "state");
  const score = given(params, "min_score");
  const origin = given(params, "origin");
  const known = episodeStates.find((each) => each === state);
  const found = episodeOrigins.find((each) => each === origin);
  if (origin !== undefined && !found) throw invalid("origin", `must be one of ${episodeOrigins.join(", ")}`);
  if (state !== undefined && !known) throw invalid("state", `must be one of ${episodeStates.join(", ")}`);
  return {
    ...(known && { state: known }),
    ...(found && { origin: found }),
    ...(score !== undefined && { minScore: parseNumber(score, "min_score", { min: 0, max: 100 }) }),
  };
}

function viewEpisode(row: EpisodeRow): AnomalyView {
  const { id, model, startAt, endAt, peakScore, features, peak, origin, closedBy, feedback } = row;
  const rarity = rarityOf(peak);
  return {
    id,
    model,
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
