// Related: what else deviated around an anomaly or in a range, ranked by how probably it is the cause.
import type { RelatedView } from "../../api/related.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import type { Mover } from "../../core/related/chance.ts";
import { type Ranked, rankMovers } from "../../core/related/rank.ts";
import type { Population, Tags } from "../../core/related/tags.ts";
import { viewRanking } from "../../core/related/view.ts";
import { nameMoved } from "../../core/related/words.ts";
import type { Range } from "../../core/series/grid.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type EpisodeRow, listEpisodes } from "../../store/anomalies/episodes.ts";
import type { Store } from "../../store/db/open.ts";
import { given, type Params } from "../shared/range.ts";
import { type FoundMovers, readMovers, type StoredMover } from "./movers.ts";
import { LivePopulation } from "./population.ts";
import { parseOptions } from "./request.ts";
import { findSubject, namesOf, parseRelatedRange } from "./subject.ts";

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
    const { store, clock } = this.deps;
    const { limit } = this.#check(params);
    const subject = await findSubject(store, id, clock.now());
    const { window, isFleet, target, episode } = subject;
    const found = await readMovers(store, { window, nearAt: episode.startAt, ...(!isFleet && { subject }) });
    return this.#answer({ limit, window, found, target: found.own ?? target, episode });
  }

  /** What began to deviate in a range; `from` is required, `to` defaults to now. @throws TorusError `invalid`, `not_supported` */
  async inRange(params: Params): Promise<RelatedView> {
    const { store, clock } = this.deps;
    const { limit } = this.#check(params);
    const range = parseRelatedRange(params, clock.now());
    const found = await readMovers(store, range);
    return this.#answer({ limit, window: range.window, found, tags: range.tags });
  }

  #check(params: Params): { readonly limit: number } {
    const options = parseOptions(params);
    for (const key of ["bucket", "bucket_interval"])
      if (given(params, key) !== undefined)
        throw invalid(key, "is of a scan: give scan=true, too, or leave it out");
    if (this.deps.keepsScores()) return options;
    const way = "set server.history, as to 90d, and what deviates from then on is found";
    throw new TorusError("not_supported", `no scores are recorded, so nothing can be related: ${way}`);
  }

  async #answer({ limit, window, found, target, episode, tags }: Question): Promise<RelatedView> {
    const population = await this.#population.read();
    const windowMs = window.toAt - window.fromAt;
    const ranking = rankMovers({ target, movers: found.movers, population, windowMs });
    const ids = await this.#findAnomalies(ranking.ranked.slice(0, limit), window);
    const { own, ...view } = viewRanking({
      ...{ ranking, target, limit, watched: countWatched(population, tags), moved: found.moved },
      nameOf: (mover) => nameOf(mover, ids(mover)),
    });
    return {
      ...{ from: window.fromAt / 1000, to: window.toAt / 1000, ...view },
      ...(episode && own && { anomaly: { ...namesOf(episode), ...own } }),
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
  /** Most series of the answer. */
  readonly limit: number;
  readonly window: Range;
  readonly found: FoundMovers;
  readonly target?: Mover;
  readonly episode?: EpisodeRow;
  /** Tags of the series that are looked at; absent: all are. */
  readonly tags?: Tags | undefined;
}

/** Series with the tags; of several tags those with the rarest. */
function countWatched(population: Population, tags: Tags = {}): number {
  const counts = Object.entries(tags).map(([tag, value]) => population.countTag(tag, value));
  return Math.min(population.total, ...counts);
}

function nameOf({ model, series, tags, feature }: StoredMover, anomaly: string | undefined) {
  const ofSeries = series === null ? {} : { series: tags };
  return {
    fields: { model, ...ofSeries, feature, ...(anomaly !== undefined && { anomaly }) },
    text: nameMoved({ feature, model, ...ofSeries }),
  };
}
