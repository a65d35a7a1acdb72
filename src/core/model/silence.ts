// Model setting `silence`: an age of the newest point, or `auto`, which follows the gaps between points; pure.
import { Type } from "@sinclair/typebox";
import { ceilTo } from "../series/grid.ts";
import { intervalSchema } from "../time/duration-schema.ts";
import { HOUR_MS, INTERVAL_RULE, MINUTE_MS, parseDuration } from "../time/time.ts";

export const AUTO_SILENCE = "auto";
/** Usual gaps between points, or intervals, that make a silence of `auto`. */
const GAPS = 3;
/** A restart of what sends the points takes less. */
const MIN_LIMIT_MS = 5 * MINUTE_MS;
/** Most of the first gap: it may be that of a source that was off. */
const MAX_FIRST_GAP_MS = HOUR_MS;
/** Growth of the usual gap with one longer gap: one outage must not hide the next. */
const MAX_GROWTH = 2;
/** Gaps after which the usual gap has mostly forgotten a longer one. */
const MEMORY_GAPS = 64;

export const Silence = Type.Union(
  [...intervalSchema({ description: "" }).anyOf, Type.Literal(AUTO_SILENCE)],
  {
    description:
      "Age of the newest point, beyond `offset`, from which the hooks of `silence` are notified and the state is `no_data`; " +
      "`auto`: three intervals or usual gaps between points, at least 5 minutes: `live.silence_after` shows it; without " +
      "the setting the state follows `auto`, and no hook is notified",
    examples: ["10m", AUTO_SILENCE],
    rule: `${INTERVAL_RULE}; or auto`,
  },
);

interface WithSilence {
  readonly silence?: string | number | null | undefined;
}

/** What `auto` derives the age from. */
interface Spacing {
  readonly intervalMs: number;
  /** Usual gap between the newest points of evaluations, ms; undefined before the first. */
  readonly gapMs?: number | undefined;
}

/** Age of the newest point from which there is no data, ms; without the setting that of `auto`. */
export function silenceLimit({ silence }: WithSilence, { intervalMs, gapMs = 0 }: Spacing): number {
  if (silence !== undefined && silence !== null && silence !== AUTO_SILENCE)
    return parseDuration(silence, "silence");
  return Math.max(MIN_LIMIT_MS, ceilTo(GAPS * Math.max(intervalMs, gapMs), intervalMs));
}

/** The usual gap after another one: about the longest of the last ones, ms. */
export function nextGap(known: number | undefined, gapMs: number): number {
  if (known === undefined) return Math.min(gapMs, MAX_FIRST_GAP_MS);
  if (gapMs > known) return Math.min(gapMs, MAX_GROWTH * known);
  return Math.round(known - (known - gapMs) / MEMORY_GAPS);
}
