// What detection has found in a model's past, and what people said of it: marks for a training, labels for a backtest.
import {
  type JudgedEpisode,
  judgedParts,
  markTraining,
  type TrainingMarks,
} from "../../core/anomaly/feedback.ts";
import { arrangeLabels, type Labels } from "../../core/anomaly/label.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { longestOffset } from "../../core/model/offset.ts";
import type { Range } from "../../core/series/grid.ts";
import { listOwnEpisodes } from "../../store/anomalies/episodes.ts";
import type { Store } from "../../store/db/open.ts";

export interface Subject {
  readonly model: string;
  readonly settings: ModelSettings;
}

/** What the anomalies found in the range, and what people said of them, mean for a training over it. */
export async function loadMarks(store: Store, subject: Subject, range: Range): Promise<TrainingMarks> {
  return markTraining(await loadEpisodes(store, subject, range), range);
}

/** Labels from what people said of the range's anomalies. @returns undefined where they said nothing */
export async function loadFeedback(
  store: Store,
  subject: Subject,
  range: Range,
): Promise<Labels | undefined> {
  const { confirmed, refuted } = judgedParts(await loadEpisodes(store, subject, range), range);
  if (confirmed.length + refuted.length === 0) return undefined;
  return { ...arrangeLabels(confirmed), normal: arrangeLabels(refuted) };
}

function loadEpisodes(
  store: Store,
  { model, settings }: Subject,
  range: Range,
): Promise<readonly JudgedEpisode[]> {
  // A window ends `offset` behind now: the first anomaly may have begun that long before there was the model.
  const leadMs = longestOffset(settings) + bucketIntervalOf(settings);
  return listOwnEpisodes(store, { model, leadMs, ...range });
}
