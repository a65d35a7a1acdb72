// Recorded live anomalies of an evaluated range, for the answer of the evaluation.
import type { LiveEpisodeView } from "../../api/prediction.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { longestOffset } from "../../core/model/offset.ts";
import type { Range } from "../../core/series/grid.ts";
import { type EpisodeRow, listOwnEpisodes } from "../../store/anomalies/episodes.ts";
import type { Store } from "../../store/db/open.ts";

/** Most of one answer; of more, the last ones. */
const MAX_EPISODES = 1000;

interface EpisodesRequest {
  readonly model: string;
  readonly settings: ModelSettings;
  readonly range: Range;
  /** Of a fleet: the series; absent: all. */
  readonly series?: SeriesTags;
}

/** Live anomalies of the current model that overlap the range, oldest first. */
export async function listLiveEpisodes(
  store: Store,
  { model, settings, range, series }: EpisodesRequest,
): Promise<readonly LiveEpisodeView[]> {
  const leadMs = longestOffset(settings) + bucketIntervalOf(settings);
  const episodes = await listOwnEpisodes(store, { model, leadMs, ...range, ...(series && { series }) });
  return episodes
    .filter(({ origin }) => origin === "live")
    .slice(-MAX_EPISODES)
    .map(viewEpisode);
}

function viewEpisode({ id, startAt, endAt, peakScore, features }: EpisodeRow): LiveEpisodeView {
  return {
    id,
    start: startAt / 1000,
    end: endAt === null ? null : endAt / 1000,
    peak_score: peakScore,
    features: Object.fromEntries(Object.entries(features).map(([name, { type }]) => [name, type])),
  };
}
