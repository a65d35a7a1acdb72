// Recorded anomalies with their feedback, and labels, as marks for a training or labels for a backtest.

import { type Labels, prepareLabels } from "../../core/anomaly/label.ts";
import { judgedLabel } from "../../core/anomaly/stored-label.ts";
import {
  type JudgedEpisode,
  judgedParts,
  markTraining,
  type TrainingMarks,
} from "../../core/anomaly/training-marks.ts";
import { knownEventsIn } from "../../core/calendar/known-events.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { longestOffset } from "../../core/model/offset.ts";
import type { Range } from "../../core/series/grid.ts";
import { listOwnEpisodes } from "../../store/anomalies/episodes.ts";
import { listLabels } from "../../store/anomalies/labels.ts";
import { loadCalendars } from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";

interface ModelRef {
  readonly model: string;
  readonly settings: ModelSettings;
  /** Of a fleet: the series; marks without a series concern it, too. Absent: all. */
  readonly series?: SeriesTags;
}

/** Marks of a training over the range: parts to exclude, and parts judged normal. */
export async function loadMarks(store: Store, ref: ModelRef, range: Range): Promise<TrainingMarks> {
  const known = await loadKnownEvents(store, ref, range);
  return withKnown(markTraining(await loadEpisodes(store, ref, range), range), known);
}

/** Known events of the model with a part in the range. */
export async function loadKnownEvents(
  store: Store,
  { settings }: Pick<ModelRef, "settings">,
  range: Range,
): Promise<Range[]> {
  const { known_events } = settings;
  if (!known_events) return [];
  return knownEventsIn(settings, await loadCalendars(store, [known_events.calendar]), range);
}

/** A training leaves known events out, however much of the range they cover. */
function withKnown({ excluded, tolerated }: TrainingMarks, known: readonly Range[]): TrainingMarks {
  return { excluded: [...excluded, ...known], tolerated };
}

/** Marks of a series over a part of the range. */
export type MarksOf = (series: SeriesTags, part: Range) => TrainingMarks;

/** As `loadMarks`, for all series of a fleet: marks without a series concern each. */
export async function loadSeriesMarks(store: Store, ref: ModelRef, range: Range): Promise<MarksOf> {
  const all = await loadEpisodes(store, ref, range);
  const bySeries = Map.groupBy(all, ({ series }) => keyOf(series));
  const shared = bySeries.get(keyOf(undefined)) ?? [];
  const known = await loadKnownEvents(store, ref, range);
  return (series, part) =>
    withKnown(
      markTraining([...shared, ...(bySeries.get(keyOf(series)) ?? [])], part),
      known.filter(({ fromAt, toAt }) => fromAt < part.toAt && toAt > part.fromAt),
    );
}

function keyOf(series: SeriesTags | null | undefined): string {
  return JSON.stringify(Object.entries(series ?? {}).sort());
}

/** Labels from the feedback on the range's anomalies, and from stored labels. @returns undefined without any */
export async function loadFeedback(store: Store, ref: ModelRef, range: Range): Promise<Labels | undefined> {
  const { confirmed, refuted } = judgedParts(await loadEpisodes(store, ref, range), range);
  if (confirmed.length + refuted.length === 0) return undefined;
  return { ...prepareLabels(confirmed), normal: prepareLabels(refuted) };
}

/** Of one series, or of all. */
type SeriesEpisode = JudgedEpisode & { readonly series?: SeriesTags | null };

async function loadEpisodes(
  store: Store,
  { model, settings, series }: ModelRef,
  range: Range,
): Promise<readonly SeriesEpisode[]> {
  // A window ends `offset` before now: the first anomaly may start that long before the model was created.
  const leadMs = longestOffset(settings) + bucketIntervalOf(settings);
  const episodes = await listOwnEpisodes(store, { model, leadMs, ...range });
  const features = settings.features.map(({ name }) => name);
  const labels = await listLabels(store, { model, ...range });
  const judged = labels.map((label) => ({ ...judgedLabel(label, features), series: label.series }));
  const all = [...episodes, ...judged];
  return series ? all.filter((each) => !each.series || keyOf(each.series) === keyOf(series)) : all;
}
