// Evaluation of detection and forecast: episodes against labelled events, errors against repetition.
import type { Stat } from "../../src/cli/client/client.ts";
import { DAY, type LabelledEvent, STEP, type Taxi, WEEK } from "./taxi.ts";

/** Successive points the server flagged; seconds, `to` exclusive. */
export interface Episode {
  readonly from: number;
  readonly to: number;
  /** Highest score, and where it was. */
  readonly peak: number;
  readonly peakAt: number;
}

export interface Verdict {
  /** One per labelled event: the episodes that overlap it. */
  readonly found: readonly { readonly event: LabelledEvent; readonly episodes: readonly Episode[] }[];
  /** Episodes that overlap no labelled event. */
  readonly falseAlarms: readonly Episode[];
}

/** Joins flagged points into episodes. */
export function findEpisodes(times: readonly number[], stats: readonly Stat[]): Episode[] {
  const episodes: Episode[] = [];
  for (const [i, { anomaly, score }] of stats.entries()) {
    if (!anomaly) continue;
    const open = stats[i - 1]?.anomaly ? episodes.pop() : undefined;
    const at = times[i]!;
    const top = open && open.peak >= score ? open : { peak: score, peakAt: at };
    episodes.push({ from: open?.from ?? at, to: at + STEP, peak: top.peak, peakAt: top.peakAt });
  }
  return episodes;
}

/** Compares episodes with what is labelled. */
export function judge(episodes: readonly Episode[], events: readonly LabelledEvent[]): Verdict {
  const overlaps = (episode: Episode, event: LabelledEvent) =>
    episode.from < event.to && episode.to > event.from;
  return {
    found: events.map((event) => ({
      event,
      episodes: episodes.filter((episode) => overlaps(episode, event)),
    })),
    falseAlarms: episodes.filter((episode) => !events.some((event) => overlaps(episode, event))),
  };
}

/**
 * How many of the events as many episodes would touch if they came at random times: labelled windows are days wide,
 * so finding them means something only beside this.
 */
export function countByChance(
  episodes: readonly Episode[],
  events: readonly LabelledEvent[],
  range: { from: number; to: number },
): number {
  const length = (span: { from: number; to: number }) => span.to - span.from;
  const mean = episodes.reduce((sum, episode) => sum + length(episode), 0) / Math.max(1, episodes.length);
  const missed = (event: LabelledEvent) =>
    (1 - Math.min(1, (length(event) + mean) / length(range))) ** episodes.length;
  return events.reduce((sum, event) => sum + 1 - missed(event), 0);
}

/** `count` indices in the second half, evenly spread, each with a whole day of data after it. */
export function spreadOrigins({ half, values }: Pick<Taxi, "half" | "values">, count: number): number[] {
  const last = values.length - DAY;
  return Array.from({ length: count }, (_, i) => half + Math.round((i * (last - half)) / (count - 1)));
}

/** A forecast of the points from index `origin` on. */
export interface Forecast {
  readonly origin: number;
  readonly predicted: readonly number[];
}

/** Mean absolute errors over all points of all forecasts. */
export interface Errors {
  readonly model: number;
  readonly lastWeek: number;
  readonly yesterday: number;
}

/** Errors of the forecasts, and of repeating what was seen a week and a day before. */
export function measureErrors(values: readonly number[], forecasts: readonly Forecast[]): Errors {
  const meanError = (guess: (forecast: Forecast, i: number) => number) => {
    const errors = forecasts.flatMap((forecast) =>
      forecast.predicted.map((_, i) => Math.abs(values[forecast.origin + i]! - guess(forecast, i))),
    );
    return errors.reduce((sum, error) => sum + error, 0) / errors.length;
  };
  return {
    model: meanError(({ predicted }, i) => predicted[i]!),
    lastWeek: meanError(({ origin }, i) => values[origin + i - WEEK]!),
    yesterday: meanError(({ origin }, i) => values[origin + i - DAY]!),
  };
}
