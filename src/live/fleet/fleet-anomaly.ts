// Anomalies of a fleet as a whole: one where most of its series turn anomalous at the same time; pure.
import { sourcesOf } from "../../core/anomaly/event.ts";
import { capKnown, knownEventsIn } from "../../core/calendar/known-events.ts";
import { quietUntil } from "../../core/model/mute.ts";
import type { AssessDeps } from "../assessment.ts";
import { cover } from "../episodes/coverage.ts";
import { type Advance, advance } from "../episodes/episode-tracker.ts";
import { type LiveState, stateOf } from "../state.ts";
import type { Task } from "../task.ts";
import { type ComparedFleet, FLEET_SHARE } from "./peers.ts";

type FleetMove = Pick<Advance, "episodes" | "events" | "notices"> & { readonly state: LiveState };

/** Takes the state of the fleet over its median series. @param compared absent: series are not compared */
export function moveFleet(
  { newId }: AssessDeps,
  { row, effective, window, nowAt, calendars }: Task,
  compared: ComparedFleet | undefined,
): FleetMove {
  const before = stateOf(row);
  if (!compared) return { state: before, episodes: [], events: [], notices: [] };
  const { points, memory, share } = compared;
  const known: LiveState = { ...before, peers: memory };
  if (!row.options.detect || points.length === 0)
    return { state: known, episodes: [], events: [], notices: [] };
  const { settings, rules, intervalMs } = effective;
  const events = knownEventsIn(settings, calendars, window.range);
  const { active: _, ...moved } = advance(known, capKnown(points, intervalMs, events), {
    model: row.model,
    scope: "fleet",
    ...(share >= FLEET_SHARE && { share }),
    rules,
    sources: () => sourcesOf(settings),
    mutedUntil: () => quietUntil(settings, nowAt, { calendars }),
    newId,
  });
  const scored = cover(before.scored ?? [], window.range, intervalMs);
  return { ...moved, state: { ...moved.state, scored } };
}
