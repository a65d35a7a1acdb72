// Anomalies of an evaluated range as records: the state machine of live detection over scores that are known already.
import { createHash } from "node:crypto";
import { type AnomalyEvent, sourcesOf } from "../core/anomaly/event.ts";
import type { PastInput } from "../jobs/queue/handler.ts";
import { rulesOf } from "../models/scoring/detect.ts";
import type { Clock } from "../runtime/clock.ts";
import { runInSteps } from "../runtime/steps.ts";
import type { EpisodeChange } from "../store/anomalies/episodes.ts";
import { type PastEpisode, replacePast } from "../store/anomalies/past-episodes.ts";
import type { Store } from "../store/db/open.ts";
import { loadModel } from "../store/models.ts";
import { advance, describeClosing } from "./episode-tracker.ts";
import { toPoint } from "./score-window.ts";
import { freshState } from "./state.ts";

/** More episodes of one range are no use: the strongest are kept. */
const MAX_EPISODES = 1000;
const RANGE_ENDED = "the evaluated range ended";

export interface PastDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** There may be new events in the outbox. */
  readonly onEvents: () => void;
}

/**
 * Keeps the anomalies of a range among those of the model; the same range again replaces them.
 * @returns how many were kept
 * @throws TorusError `not_found` where the model is gone, `canceled`
 */
export async function recordPast(deps: PastDeps, past: PastInput, signal: AbortSignal): Promise<number> {
  const { store, clock, onEvents } = deps;
  const { model, observed, origin, hooks } = past;
  const { startAt, intervalMs, length } = observed;
  const range = { fromAt: startAt, toAt: startAt + length * intervalMs };
  const { createdAt } = await loadModel(store, model);
  const { found, events } = await findPast(past, { life: `${model}/${createdAt}`, toAt: range.toAt, signal });
  const record = { model, range, origin, found, events: hooks ? events : [] };
  const kept = await replacePast(store, record, clock.now());
  if (hooks && kept > 0) onEvents();
  return kept;
}

interface Found {
  readonly found: readonly PastEpisode[];
  readonly events: readonly AnomalyEvent[];
}

interface Frame {
  /** The model among all that ever had its name. */
  readonly life: string;
  readonly toAt: number;
  readonly signal: AbortSignal;
}

async function findPast({ model, settings, evaluation, observed }: PastInput, frame: Frame): Promise<Found> {
  const episodes = new Map<string, PastEpisode>();
  const events: AnomalyEvent[] = [];
  const rules = rulesOf(settings);
  let state = freshState("past");
  await runInSteps(observed.length, { signal: frame.signal }, (from, to) => {
    for (let i = from; i < to; i++) {
      const point = toPoint(evaluation, observed, i);
      const step = advance(state, [point], {
        model,
        rules,
        sources: () => sourcesOf(settings),
        mutedUntil: () => undefined,
        newId: () => idOf(`${frame.life}/${point.at}`),
      });
      state = step.state;
      for (const change of step.episodes) apply(episodes, change, frame.toAt);
      for (const { event } of step.events) events.push(event);
    }
  });
  const open = state.episode && episodes.get(state.episode.id);
  if (open) {
    const episode = { ...open, closedBy: RANGE_ENDED };
    episodes.set(open.id, episode);
    const closing = { ...episode, feedback: null, origin: "evaluation" as const };
    const end = describeClosing({ state, episode: closing, mutedUntil: undefined });
    if (end) events.push(end.event);
  }
  return { found: strongest([...episodes.values()]), events };
}

/** The same for the same interval: a second look at a range calls no hook again. */
function idOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  // A UUID of version 8 (RFC 9562, section 5.8): its bits are ours.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}

function apply(episodes: Map<string, PastEpisode>, change: EpisodeChange, toAt: number): void {
  if (change.change === "open")
    episodes.set(change.episode.id, { ...change.episode, endAt: toAt, closedBy: null });
  else {
    const { change: _, ...patch } = change;
    episodes.set(change.id, { ...episodes.get(change.id)!, ...patch });
  }
}

function strongest(list: readonly PastEpisode[]): readonly PastEpisode[] {
  if (list.length <= MAX_EPISODES) return list;
  const chosen = list.toSorted((a, b) => b.peakScore - a.peakScore).slice(0, MAX_EPISODES);
  return chosen.sort((a, b) => a.startAt - b.startAt);
}
