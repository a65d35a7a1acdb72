// Subject of a request for related series: the series of an anomaly with its window, or a range.
import { rarityOf } from "../../core/anomaly/event.ts";
import { invalid } from "../../core/errors.ts";
import { seriesKeyOf } from "../../core/model/fleet.ts";
import { parseTags } from "../../core/model/series-text.ts";
import type { Mover } from "../../core/related/chance.ts";
import type { Tags } from "../../core/related/tags.ts";
import { windowAround } from "../../core/related/window.ts";
import type { Range } from "../../core/series/grid.ts";
import { DAY_MS, MINUTE_MS } from "../../core/time/time.ts";
import { storedSettings } from "../../live/stored-settings.ts";
import { rarityOfScore } from "../../models/scoring/score.ts";
import { type EpisodeRow, loadEpisode } from "../../store/anomalies/episodes.ts";
import type { Store } from "../../store/db/open.ts";
import { type ModelRow, readModels } from "../../store/models.ts";
import { given, type Params, parseRange } from "../shared/range.ts";
import { tagsOfSubject } from "./movers.ts";

/** Longest range; in a longer one too much moves by chance to be told apart. */
const MAX_RANGE_MS = 7 * DAY_MS;

interface RelatedSubject {
  readonly episode: EpisodeRow;
  /** Undefined: the model is gone. */
  readonly row: ModelRow | undefined;
  readonly model: string;
  /** Key of the series; null: of the model. */
  readonly series: string | null;
  /** Whether the anomaly is of many series of a fleet at once. */
  readonly isFleet: boolean;
  readonly window: Range;
  /** What is known of it without recorded scores. */
  readonly target: Mover;
}

/** The series of an anomaly. @throws TorusError `not_found` */
export async function findSubject(store: Store, id: string, nowAt: number): Promise<RelatedSubject> {
  const episode = await loadEpisode(store, id);
  const { model, startAt, series: own, scope } = episode;
  const row = (await readModels(store, [model])).get(model);
  const intervalMs = row ? storedSettings(row).intervalMs : MINUTE_MS;
  const { fromAt, toAt } = windowAround(startAt, intervalMs);
  const series = own && row ? seriesKeyOf(row.settings.group_by ?? [], own) : null;
  const tags = row ? tagsOfSubject(row, { model, series }) : (own ?? {});
  return {
    ...{ episode, row, model, series, isFleet: scope !== null },
    window: { fromAt, toAt: Math.max(fromAt + 1, Math.min(toAt, nowAt)) },
    target: {
      ...{ tags, intervalMs, onsetAt: startAt, past: { peaks: [], spanMs: 1 } },
      peak: rarityOf(episode.peak) ?? rarityOfScore(episode.peakScore),
    },
  };
}

/** What names the anomaly in an answer. */
export function namesOf({ id, model, series }: EpisodeRow) {
  return { id, model, ...(series && { series }) };
}

/** `from`, `to` and `tags`. @throws TorusError `invalid` */
export function parseRelatedRange(
  params: Params,
  nowAt: number,
): { readonly window: Range; readonly tags?: Tags } {
  const window = parseRange(params, { nowAt });
  if (window.toAt - window.fromAt > MAX_RANGE_MS)
    throw invalid("from", `the range must not be longer than ${MAX_RANGE_MS / DAY_MS} days`);
  if (window.fromAt >= nowAt) throw invalid("from", "must be before now: nothing has moved since then");
  const text = given(params, "tags");
  return { window, ...(text !== undefined && { tags: parseTags(String(text), "tags") }) };
}
