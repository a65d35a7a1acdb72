// End of live detection: closes the anomalies and conditions in progress, of models and of the series of fleets.

import { watchedCalendars } from "../../core/model/calendar-references.ts";
import { type SeriesTags, seriesKeyOf } from "../../core/model/fleet.ts";
import { quietUntil } from "../../core/model/mute.ts";
import { endAll } from "../../live/conditions/index.ts";
import { describeClosing } from "../../live/episodes/episode-events.ts";
import type { EpisodeNotice } from "../../live/episodes/episode-tracker.ts";
import { pickSubject } from "../../live/episodes/subject.ts";
import { type LiveState, stateOf } from "../../live/state.ts";
import { storedSettings } from "../../live/stored-settings.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { EpisodeRow } from "../../store/anomalies/episodes.ts";
import { loadCalendars } from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";
import { listOngoingSeries, type OngoingSeries } from "../../store/fleets/live-series.ts";
import { type Ending, type LiveRow, loadLive } from "../../store/live.ts";
import { loadModel } from "../../store/models.ts";

interface EndingDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly onEpisode?: (notice: EpisodeNotice) => void;
}

/** A live model, as far as its end needs it. */
interface Ongoing {
  readonly mutedUntil: (series?: SeriesTags) => number | undefined;
  readonly series: ReadonlyMap<string, OngoingSeries>;
  readonly keyOf: (series: SeriesTags) => string;
}

/**
 * Plans the end of live models. Mutes and series are read beforehand: the transaction that closes anomalies is
 * synchronous.
 * @returns `report` is to be called once it is committed
 */
export async function planEnding(
  { store, clock, onEpisode }: EndingDeps,
  names: readonly string[],
  reason: string,
): Promise<Ending & { readonly report: () => void }> {
  const closed: EpisodeRow[] = [];
  const at = clock.now();
  const known = new Map<string, Ongoing>();
  for (const name of new Set(names))
    if (await loadLive(store, name)) known.set(name, await loadOngoing(store, name, at));
  return {
    reason,
    describe: (row, episode) => {
      closed.push(episode);
      const ongoing = known.get(row.model);
      const state = ongoing && stateOfEpisode(row, episode, ongoing);
      const untilAt = ongoing?.mutedUntil(episode.series ?? undefined);
      return state && describeClosing({ state, episode, mutedUntil: untilAt });
    },
    describeConditions: (row) => {
      const ongoing = known.get(row.model);
      return ongoing ? endConditions(row, ongoing, { at, reason }) : [];
    },
    report: () => {
      for (const episode of closed) onEpisode?.(noticeOf(episode));
    },
  };
}

async function loadOngoing(store: Store, name: string, at: number): Promise<Ongoing> {
  const { settings } = storedSettings(await loadModel(store, name));
  const { group_by: groupBy } = settings;
  const calendars = await loadCalendars(store, watchedCalendars(settings));
  return {
    mutedUntil: (series) => quietUntil(settings, at, { series, calendars }),
    series: groupBy ? await listOngoingSeries(store, name) : new Map(),
    keyOf: (series) => seriesKeyOf(groupBy ?? [], series),
  };
}

function stateOfEpisode(
  row: LiveRow,
  { series }: EpisodeRow,
  { series: ongoing, keyOf }: Ongoing,
): LiveState | undefined {
  if (!series) return stateOf(row);
  const own = ongoing.get(keyOf(series));
  return own && (own.state as LiveState);
}

function endConditions(
  row: LiveRow,
  { series: ongoing, mutedUntil: untilAt }: Ongoing,
  end: { readonly at: number; readonly reason: string },
) {
  const { model } = row;
  const own = endAll(stateOf(row), { model, mutedUntil: () => untilAt(), ...end });
  const ofSeries = [...ongoing.values()].flatMap(({ tags: series, state }) =>
    endAll(state as LiveState, { model, series, mutedUntil: () => untilAt(series), ...end }),
  );
  return [...own, ...ofSeries];
}

function noticeOf(episode: EpisodeRow): EpisodeNotice {
  const { id, startAt, endAt, peakScore, features, closedBy } = episode;
  return {
    change: "ended",
    ...pickSubject(episode),
    id,
    score: peakScore,
    features,
    durationMs: (endAt ?? startAt) - startAt,
    ...(closedBy !== null && { closedBy }),
  };
}
