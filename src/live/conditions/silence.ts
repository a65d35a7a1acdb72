// Silence: points that stopped; takes two evaluations without a newer point, since the clock may have been set; pure.
import { sourcesOf, tagsOf } from "../../core/anomaly/event.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { parseDuration } from "../../core/time/time.ts";
import type { Observation } from "./condition.ts";

/** Key of the condition. */
export const SILENCE = "silence";
/** Evaluations in a row without a newer point: after a step of the clock the first one misleads. */
const MIN_UNCHANGED = 2;
/** Evaluations in a row with a newer point that end a silence although the points are old: they flow, late. */
const MIN_MOVED = 3;

/** JSON, part of the live state of a model with `silence`. */
export interface Quiet {
  /** End of the newest interval that holds points, ms since the epoch; absent: none was seen. */
  readonly newestAt?: number;
  /** That, or the end of the first window, ms since the epoch. */
  readonly sinceAt: number;
  /** Evaluations in a row without a newer point, and with one. */
  readonly unchanged: number;
  readonly moved: number;
}

export interface Sighting {
  readonly settings: ModelSettings;
  /** End of the newest interval of the read that holds points, ms since the epoch. */
  readonly newestAt: number | undefined;
  /** End of the evaluated window, ms since the epoch: the offset has passed by then. */
  readonly windowAt: number;
  /** Whether the condition lasts. */
  readonly isSilent: boolean;
}

/** What an evaluation shows; undefined for a model without `silence`. */
export function followSilence(
  before: Quiet | undefined,
  { settings, newestAt, windowAt, isSilent }: Sighting,
): { readonly quiet: Quiet; readonly observation: Observation } | undefined {
  if (!settings.silence) return undefined;
  const limitMs = parseDuration(settings.silence, "silence");
  const quiet = nextQuiet(before, newestAt, windowAt);
  const { newestAt: known, sinceAt: startedAt } = quiet;
  const isOld = windowAt - startedAt >= limitMs;
  const isActive = isOld && (isSilent ? quiet.moved < MIN_MOVED : quiet.unchanged >= MIN_UNCHANGED);
  const facts = {
    tags: tagsOf(sourcesOf(settings)),
    silence: { limitMs, ...(known !== undefined && { newestAt: known }) },
    severity: "warning" as const,
  };
  return { quiet, observation: { key: SILENCE, topic: "silence", isActive, startedAt, facts } };
}

/** Whether a silence begins with an evaluation, as far as its own read shows. */
export function beginsSilence(before: Quiet, sighting: Sighting): boolean {
  if (sighting.isSilent) return false;
  return followSilence(before, sighting)?.observation.isActive ?? false;
}

function nextQuiet(before: Quiet | undefined, newestAt: number | undefined, windowAt: number): Quiet {
  if (newestAt !== undefined && newestAt > (before?.newestAt ?? -Infinity))
    return { newestAt, sinceAt: newestAt, unchanged: 0, moved: (before?.moved ?? 0) + 1 };
  if (!before) return { sinceAt: windowAt, unchanged: 0, moved: 0 };
  return { ...before, unchanged: before.unchanged + 1, moved: 0 };
}
