// Events of steps to another level: one per step, beside the end of the anomaly that the step began with.
import type { FeatureSource, HookEvent, SubjectFields } from "../../core/anomaly/event.ts";
import type { LevelShift } from "../../core/anomaly/level-shift.ts";
import { type PlannedEvent, planEvent } from "../../store/anomalies/outbox.ts";
import type { ScoredPoint } from "./episode-tracker.ts";
import { pickSubject } from "./subject.ts";

interface ShiftContext extends SubjectFields {
  readonly model: string;
  readonly points: readonly ScoredPoint[];
  /** UUID of the anomaly in progress before the evaluation. */
  readonly episode: string | undefined;
  readonly sources: () => Readonly<Record<string, FeatureSource>>;
  /** See `mutedUntil`. */
  readonly mutedUntil: () => number | undefined;
  /** @returns a fresh UUID */
  readonly newId: () => string;
}

/** One event per shift, in their order. */
export function planLevelShifts(shifts: readonly LevelShift[], context: ShiftContext): PlannedEvent[] {
  return shifts.map((shift) => planEvent(toEvent(shift, context), context.mutedUntil()));
}

function toEvent(
  levelShift: LevelShift,
  { points, episode: ongoing, sources, newId, ...subject }: ShiftContext,
): HookEvent {
  const { feature, at, sinceAt } = levelShift;
  const point = points.find((candidate) => candidate.at === at);
  const report = point?.features[feature];
  const episode = ongoing ?? newId();
  return {
    id: `${episode}:level:${feature}`,
    kind: "level_shift",
    ...pickSubject(subject),
    episode,
    at,
    startedAt: sinceAt,
    score: point?.score ?? 0,
    severity: "info",
    features: report ? { [feature]: { ...report, ...sources()[feature] } } : {},
    levelShift,
  };
}
