// Changes that may have caused an anomaly, from the store.
import {
  type Attribution,
  attribute,
  findCandidates,
  HISTORY_MS,
  type Past,
  type Subject,
  windowOf,
} from "../../core/changes/attribution.ts";
import { valuesByTag } from "../../core/changes/tags.ts";
import { DAY_MS, MINUTE_MS } from "../../core/time/time.ts";
import { type EpisodeRow, listSpans } from "../../store/anomalies/episodes.ts";
import { listChanges } from "../../store/changes/changes.ts";
import type { Store } from "../../store/db/open.ts";
import { readModels } from "../../store/models.ts";
import { storedSettings } from "../stored-settings.ts";

/** Longest change that is found: those that began earlier are not read. */
const LONGEST_MS = DAY_MS;
/** Changes and anomalies that are read, the newest. */
const MAX_READ = 2000;

type Episode = Pick<EpisodeRow, "model" | "startAt" | "features"> &
  Partial<Pick<EpisodeRow, "series" | "scope">> &
  Pick<Subject, "slackMs">;

/** The likeliest first, see `findCandidates`. */
export async function findAttributions(store: Store, episode: Episode): Promise<Attribution[]> {
  const { model, startAt, slackMs = 0 } = episode;
  const row = (await readModels(store, [model])).get(model);
  const intervalMs = row ? storedSettings(row).intervalMs : MINUTE_MS;
  const lists = Object.values(episode.features).map(({ tags = {} }) => tags);
  const tags = valuesByTag([...lists, episode.series ?? {}]);
  const subject: Subject = { startAt, intervalMs, slackMs, tags };
  const windowMs = windowOf(intervalMs) + slackMs;
  const toAt = startAt + intervalMs + slackMs + 1;
  const before = (ms: number) =>
    listChanges(store, { sinceAt: startAt - windowMs - ms, toAt }, { from: 0, to: MAX_READ });
  const candidates = findCandidates(subject, await before(LONGEST_MS));
  if (candidates.length === 0) return [];
  const past = await readPast(store, episode, row?.createdAt ?? 0);
  return attribute(candidates, { subject, changes: await before(HISTORY_MS), past });
}

/** Earlier anomalies of the same model, series or fleet. */
async function readPast(
  store: Store,
  { model, startAt, series, scope }: Episode,
  sinceAt: number,
): Promise<Past> {
  const query = { model, fromAt: startAt - HISTORY_MS, toAt: startAt };
  const spans = await listSpans(
    store,
    { ...query, ...(series && { series }), ...(scope && { scope }) },
    MAX_READ,
  );
  return { starts: spans.map((span) => span.startAt), sinceAt };
}
