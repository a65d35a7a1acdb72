// Anomalies that were: episodes of live detection, newest first, and what people say of them.
import { invalid } from "../core/errors.ts";
import { checkFeedback, type Feedback } from "../core/feedback.ts";
import { parseListing, project } from "../core/listing.ts";
import { parseDate } from "../core/time.ts";
import type { Clock } from "../jobs/clock.ts";
import { type EpisodeRow, listEpisodes, saveFeedback } from "../store/episodes.ts";
import { loadModel } from "../store/models.ts";
import type { Store } from "../store/open.ts";
import { given, type Params } from "./range.ts";

export interface AnomalyDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class Anomalies {
  constructor(private readonly deps: AnomalyDeps) {}

  /** Of one model, or of all, deleted ones included. @throws TorusError `not_found`, `invalid` */
  async list(params: Params, model?: string): Promise<object[]> {
    const { store } = this.deps;
    if (model !== undefined) await loadModel(store, model);
    const { page, per_page, fields, include_fields } = params;
    const listing = parseListing({ page, per_page, fields, include_fields });
    const rows = await listEpisodes(store, {
      ...this.#range(params),
      ...(model !== undefined && { model }),
      ...(listing.page && { page: listing.page }),
    });
    return rows.map((row) => project(viewEpisode(row), listing));
  }

  /**
   * Keeps what people say of an anomaly; the next training heeds it.
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

function viewEpisode(row: EpisodeRow): object {
  const { id, model, startAt, endAt, peakScore, features, peak, closedBy, feedback } = row;
  return {
    id,
    model,
    start: startAt / 1000,
    end: endAt === null ? null : endAt / 1000,
    peak_score: peakScore,
    features,
    peak,
    ...(closedBy !== null && { closed_by: closedBy }),
    ...(feedback !== null && { feedback: viewFeedback(feedback) }),
  };
}

function viewFeedback({ at, ...feedback }: Feedback): object {
  return { ...feedback, at: at / 1000 };
}

/** Anomalies over a store. */
export function createAnomalies(deps: AnomalyDeps): Anomalies {
  return new Anomalies(deps);
}
