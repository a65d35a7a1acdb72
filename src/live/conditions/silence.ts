// Silence: points that stopped; takes two evaluations without a newer point, since the clock may have been set; pure.
import { sourcesOf, tagsOf } from "../../core/anomaly/event.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { nextGap, silenceLimit } from "../../core/model/silence.ts";
import type { Conditions, Observation } from "./condition.ts";

/** Key of the condition. */
const SILENCE = "silence";
/** Evaluations in a row without a newer point: after a step of the clock the first one misleads. */
const MIN_UNCHANGED = 2;
/** Evaluations in a row with a newer point that end a silence although the points are old: they flow, late. */
const MIN_MOVED = 3;

/** JSON, part of the live state. */
export interface Quiet {
  /** End of the newest interval that holds points, ms since the epoch; absent: none was seen. */
  readonly newestAt?: number;
  /** That, or the end of the first window, ms since the epoch. */
  readonly sinceAt: number;
  /** Evaluations in a row without a newer point, and with one. */
  readonly unchanged: number;
  readonly moved: number;
  /** Usual gap between the newest points, ms; absent before the first, and in states of an older version. */
  readonly gapMs?: number;
  /** While points are missing for too long, also without the setting `silence`. */
  readonly isSilent?: true;
}

export interface Sighting {
  readonly settings: ModelSettings;
  readonly intervalMs: number;
  /** End of the newest interval of the read that holds points, ms since the epoch. */
  readonly newestAt: number | undefined;
  /** End of the evaluated window, ms since the epoch: the offset has passed by then. */
  readonly windowAt: number;
  /** Whether the silence lasts. */
  readonly isSilent: boolean;
}

/** Whether points are missing for too long. */
export function isSilent({ quiet, conditions = {} }: { quiet?: Quiet; conditions?: Conditions }): boolean {
  // States of an older version have the condition alone.
  return quiet?.isSilent === true || SILENCE in conditions;
}

/** What an evaluation shows; the observation is of a model with `silence` alone. */
export function followSilence(
  before: Quiet | undefined,
  { settings, intervalMs, newestAt, windowAt, isSilent }: Sighting,
): { readonly quiet: Quiet; readonly observation?: Observation } {
  const next = nextQuiet(before, newestAt, windowAt);
  const { newestAt: known, sinceAt: startedAt, gapMs } = next;
  const limitMs = silenceLimit(settings, { intervalMs, gapMs });
  const isOld = windowAt - startedAt >= limitMs;
  const isActive = isOld && (isSilent ? next.moved < MIN_MOVED : next.unchanged >= MIN_UNCHANGED);
  const quiet = { ...next, ...(isActive && { isSilent: true as const }) };
  if (!settings.silence) return { quiet };
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
  return followSilence(before, sighting).quiet.isSilent === true;
}

/** Without `isSilent`. */
function nextQuiet(before: Quiet | undefined, newestAt: number | undefined, windowAt: number): Quiet {
  if (!before && newestAt === undefined) return { sinceAt: windowAt, unchanged: 0, moved: 0 };
  const { isSilent: _, ...known } = before ?? { unchanged: 0, moved: 0 };
  if (newestAt !== undefined && newestAt > (before?.newestAt ?? -Infinity)) {
    const gapMs =
      before?.newestAt === undefined ? undefined : nextGap(before.gapMs, newestAt - before.newestAt);
    const gap = gapMs !== undefined && { gapMs };
    return { ...known, newestAt, sinceAt: newestAt, unchanged: 0, moved: known.moved + 1, ...gap };
  }
  return { sinceAt: windowAt, ...known, unchanged: known.unchanged + 1, moved: 0 };
}
