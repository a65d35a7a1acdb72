// Related: what else deviated around an anomaly or in a range, ranked by how probably it is the cause.
import type { RelatedSeriesView, RelatedView } from "../../api/related.ts";
import { rarityOf } from "../../core/anomaly/event.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { seriesKeyOf } from "../../core/model/fleet.ts";
import { describeSeries, parseTags } from "../../core/model/series-text.ts";
import type { Mover } from "../../core/related/chance.ts";
import { type Ranked, type Ranking, rankMovers } from "../../core/related/rank.ts";
import type { Tags } from "../../core/related/tags.ts";
import { windowAround } from "../../core/related/window.ts";
import { reasonsOf, summarize } from "../../core/related/words.ts";
import type { Range } from "../../core/series/grid.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { storedSettings } from "../../live/stored-settings.ts";
import { rarityOfScore } from "../../models/scoring/score.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type EpisodeRow, listEpisodes, loadEpisode } from "../../store/anomalies/episodes.ts";
import type { Store } from "../../store/db/open.ts";
import { readModels } from "../../store/models.ts";
import { given, givenNumber, type Params, parseRange } from "../shared/range.ts";
import { type FoundMovers, readMovers, type StoredMover, tagsOfSubject } from "./movers.ts";
import { LivePopulation } from "./population.ts";
import { relatedParameters } from "./request.ts";

/** Longest range; in a longer one too much moves by chance to be told apart. */
const MAX_RANGE_MS = 7 * DAY_MS;
/** Anomalies of the window whose ids are told. */
const MAX_ANOMALIES = 1000;

interface RelatedDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Whether live detection records scores. */
  readonly keepsScores: () => boolean;
  readonly onError: (what: string, error: unknown) => void;
}

export class Related {
  readonly #population: LivePopulation;

  constructor(private readonly deps: RelatedDeps) {
    const { store, clock, onError } = deps;
    const onFailure = (error: unknown) => onError("series not counted", error);
    this.#population = new LivePopulation({ store, clock, onError: onFailure });
  }

  /** What deviated around the start of an anomaly. @throws TorusError `not_found`, `invalid`, `not_supported` */
  async ofAnomaly(id: string, params: Params): Promise<RelatedView> {
    const { store } = this.deps;
    this.#assertRecorded();
    const episode = await loadEpisode(store, id);
    const row = (await readModels(store, [episode.model])).get(episode.model);
    const intervalMs = row ? storedSettings(row).intervalMs : 0;
    const { fromAt, toAt } = windowAround(episode.startAt, intervalMs);
    const window = { fromAt, toAt: Math.max(fromAt + 1, Math.min(toAt, this.deps.clock.now())) };
    const { series: tags, scope, model } = episode;
    const key = tags && row ? seriesKeyOf(row.settings.group_by ?? [], tags) : null;
    const subject = { model, series: key };
    const found = await readMovers(store, { window, ...(!scope && { subject }) });
    const target = found.own ?? {
      ...{ tags: row ? tagsOfSubject(row, subject) : (tags ?? {}), intervalMs, onsetAt: episode.startAt },
      peak: rarityOf(episode.peak) ?? rarityOfScore(episode.peakScore),
      past: { peaks: [], spanMs: 1 },
    };
    return this.#answer(params, { window, found, target, episode });
  }

  /** What began to deviate in a range; `from` is required, `to` defaults to now. @throws TorusError `invalid`, `not_supported` */
  async inRange(params: Params): Promise<RelatedView> {
    this.#assertRecorded();
    const window = parseRange(params, { nowAt: this.deps.clock.now() });
    if (window.toAt - window.fromAt > MAX_RANGE_MS)
      throw invalid("from", `the range must not be longer than ${MAX_RANGE_MS / DAY_MS} days`);
    const text = given(params, "tags");
    const tags = text === undefined ? undefined : parseTags(String(text), "tags");
    const found = await readMovers(this.deps.store, { window, tags });
    return this.#answer(params, { window, found });
  }

  #assertRecorded(): void {
    if (this.deps.keepsScores()) return;
    const way = "set server.history, as to 90d, and what deviates from then on is found";
    throw new TorusError("not_supported", `no scores are recorded, so nothing can be related: ${way}`);
  }

  async #answer(params: Params, { window, found, target, episode }: Question): Promise<RelatedView> {
    const limit = givenNumber(relatedParameters, params, "limit") ?? relatedParameters.limit.default;
    const population = await this.#population.read();
    const windowMs = window.toAt - window.fromAt;
    const ranking = rankMovers({ target, movers: found.movers, population, windowMs });
    const shown = ranking.ranked.slice(0, limit);
    const ids = await this.#findAnomalies(shown, window);
    const related = shown.map((one) => viewRanked(one, { target, ranking, id: ids(one.mover) }));
    return {
      from: window.fromAt / 1000,
      to: window.toAt / 1000,
      watched: population.total,
      moved: found.moved,
      ...(episode && { anomaly: viewOwn(episode, target!, ranking) }),
      ...(ranking.common && { common: { ...ranking.common, at: ranking.common.at / 1000 } }),
      summary: summaryOf(related, { ranking, watched: population.total, moved: found.moved }),
      related,
    };
  }

  /** Ids of the anomalies that the movers raised. */
  async #findAnomalies(shown: readonly Ranked<StoredMover>[], { fromAt, toAt }: Range) {
    const models = [...new Set(shown.map(({ mover }) => mover.model))];
    if (models.length === 0) return () => undefined;
    const page = { from: 0, to: MAX_ANOMALIES };
    const query = { models, fromAt, toAt, origin: "live", page } as const;
    const episodes = await listEpisodes(this.deps.store, query);
    return ({ model, series, tags, startAt }: StoredMover) =>
      episodes.find(
        (episode) =>
          episode.model === model &&
          (episode.endAt ?? Number.POSITIVE_INFINITY) > startAt &&
          (series === null
            ? episode.series === null && !episode.scope
            : Bun.deepEquals(episode.series, tags)),
      )?.id;
  }
}

interface Question {
  readonly window: Range;
  readonly found: FoundMovers;
  readonly target?: Mover;
  readonly episode?: EpisodeRow;
}

function viewOwn(
  { id, model, series }: EpisodeRow,
  { onsetAt }: Mover,
  { ownConfidence = 0 }: Ranking<StoredMover>,
): NonNullable<RelatedView["anomaly"]> {
  return {
    ...{ id, model, ...(series && { series }), onset: onsetAt / 1000 },
    confidence: round(ownConfidence),
  };
}

interface RankedContext {
  readonly target: Mover | undefined;
  readonly ranking: Ranking<StoredMover>;
  readonly id: string | undefined;
}

function viewRanked(
  { mover, link, confidence, precedence }: Ranked<StoredMover>,
  { target, ranking, id }: RankedContext,
): RelatedSeriesView {
  const { model, series, tags, feature, type, startAt, onsetAt, peak, past, together, intervalMs } = mover;
  const times = past.peaks.filter((earlier) => earlier >= peak).length;
  const { equal, adjacent } = link.shared;
  const shared: Tags = { ...adjacent, ...equal };
  const leadMs = target && target.onsetAt - onsetAt;
  const known = target && together && together.of > 0 ? { together } : {};
  const facts = { intervalMs, equal, adjacent, precedence, others: ranking.ranked.length };
  return {
    ...{ model, ...(series !== null && { series: tags }), feature, type },
    ...{ start: startAt / 1000, onset: onsetAt / 1000, ...(leadMs !== undefined && { lead: leadMs / 1000 }) },
    ...{ rarity: round(peak), confidence: round(confidence), chance: round(link.chance) },
    ...(Object.keys(shared).length > 0 && { shared }),
    past: { times, days: round(past.spanMs / DAY_MS) },
    ...known,
    reasons: reasonsOf({
      ...{ ...facts, ...known, past: { times, spanMs: past.spanMs } },
      ...(leadMs !== undefined && { leadMs }),
    }),
    ...(id !== undefined && { anomaly: id }),
  };
}

function summaryOf(
  [first, ...rest]: readonly RelatedSeriesView[],
  { ranking, watched, moved }: Pick<RankedContext, "ranking"> & { watched: number; moved: number },
): string {
  const { common, ownConfidence, ranked } = ranking;
  return summarize({
    ...{ watched, moved, common, others: rest.length > 0 ? ranked.length - 1 : 0 },
    ...(ownConfidence !== undefined && { ownConfidence }),
    ...(first && {
      first: { name: nameOf(first), confidence: first.confidence, reasons: first.reasons },
    }),
  });
}

function nameOf({ model, series, feature }: RelatedSeriesView): string {
  return series ? `${feature} of ${model} (${describeSeries(series)})` : `${feature} of ${model}`;
}

/** Two digits behind the point. */
function round(value: number): number {
  return Math.round(100 * value) / 100;
}
