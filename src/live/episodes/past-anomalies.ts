// Records the anomalies of an evaluated range: the state machine of live detection over known scores.
import { createHash } from "node:crypto";
import { type HookEvent, sourcesOf } from "../../core/anomaly/event.ts";
import type { Calendars } from "../../core/calendar/calendar.ts";
import { capKnown, knownEventsIn } from "../../core/calendar/known-events.ts";
import { watchedCalendars } from "../../core/model/calendar-references.ts";
import type { Range } from "../../core/series/grid.ts";
import type { PastInput } from "../../jobs/queue/handler.ts";
import { rulesOf } from "../../models/scoring/detect.ts";
import type { Clock } from "../../runtime/clock.ts";
import { runInSteps } from "../../runtime/steps.ts";
import type { EpisodeChange } from "../../store/anomalies/episodes.ts";
import { type PastEpisode, replacePast } from "../../store/anomalies/past-episodes.ts";
import { loadCalendars } from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";
import { loadModel } from "../../store/models.ts";
import { toPoint } from "../score-window.ts";
import { freshState } from "../state.ts";
import { describeClosing } from "./episode-events.ts";
import { advance } from "./episode-tracker.ts";

/** Episodes of one range; of more the strongest are kept. */
const MAX_EPISODES = 1000;
const RANGE_ENDED = "the evaluated range ended";

interface PastDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
}

/**
 * Records the anomalies of a range; a second run over the range replaces them.
 * @returns how many were recorded
 * @throws TorusError `not_found` where the model was deleted, `canceled`
 */
export async function recordPast(deps: PastDeps, past: PastInput, signal: AbortSignal): Promise<number> {
  const { store, clock, onEvents } = deps;
  const { model, observed, origin, hooks, series } = past;
  const { startAt, intervalMs, length } = observed;
  const range = { fromAt: startAt, toAt: startAt + length * intervalMs };
  const { createdAt } = await loadModel(store, model);
  const calendars = await loadCalendars(store, watchedCalendars(past.settings));
  const scope = { life: lifeOf(past, createdAt), range, calendars, signal };
  const { found, events } = await findPast(past, scope);
  const announced = hooks ? events.map((event) => ({ ...event, ...(series && { series }) })) : [];
  const record = { model, range, series, origin, found, events: announced };
  const kept = await replacePast(store, record, clock.now());
  if (hooks && kept > 0) onEvents();
  return kept;
}

/** Of a series, its own: series may have anomalies at one instant. */
function lifeOf({ model, series }: PastInput, createdAt: number): string {
  const life = `${model}/${createdAt}`;
  return series ? `${life}/${JSON.stringify(Object.entries(series).sort())}` : life;
}

interface Found {
  readonly found: readonly PastEpisode[];
  readonly events: readonly HookEvent[];
}

interface Scope {
  /** Identifies the model, and its series, among all that ever had its name. */
  readonly life: string;
  readonly range: Range;
  readonly calendars: Calendars;
  readonly signal: AbortSignal;
}

async function findPast({ model, settings, evaluation, observed }: PastInput, scope: Scope): Promise<Found> {
  const episodes = new Map<string, PastEpisode>();
  const events: HookEvent[] = [];
  const rules = rulesOf(settings);
  const { toAt } = scope.range;
  const known = knownEventsIn(settings, scope.calendars, scope.range);
  let state = freshState("past");
  await runInSteps(observed.length, { signal: scope.signal }, (from, to) => {
    for (let i = from; i < to; i++) {
      const point = toPoint(evaluation, observed, i);
      const step = advance(state, capKnown([point], observed.intervalMs, known), {
        model,
        rules,
        sources: () => sourcesOf(settings),
        mutedUntil: () => undefined,
        newId: () => makeId(`${scope.life}/${point.at}`),
      });
      state = step.state;
      for (const change of step.episodes) applyChange(episodes, change, toAt);
      for (const { event } of step.events) events.push(event);
    }
  });
  const open = state.episode && episodes.get(state.episode.id);
  if (open) {
    const episode = { ...open, closedBy: RANGE_ENDED };
    episodes.set(open.id, episode);
    const ofModel = { series: null, scope: null, share: null };
    const closing = {
      ...ofModel,
      ...episode,
      confidence: null,
      feedback: null,
      origin: "evaluation" as const,
    };
    const end = describeClosing({ state, episode: closing, mutedUntil: undefined });
    if (end) events.push(end.event);
  }
  return { found: chooseStrongest([...episodes.values()]), events };
}

/** Derived from the interval, so that a second run over a range notifies no hook again. */
function makeId(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  // UUID version 8 (RFC 9562, section 5.8): custom bits.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}

function applyChange(episodes: Map<string, PastEpisode>, change: EpisodeChange, toAt: number): void {
  if (change.change === "open")
    episodes.set(change.episode.id, { ...change.episode, endAt: toAt, closedBy: null });
  else {
    const { change: _, ...patch } = change;
    episodes.set(change.id, { ...episodes.get(change.id)!, ...patch });
  }
}

function chooseStrongest(list: readonly PastEpisode[]): readonly PastEpisode[] {
  if (list.length <= MAX_EPISODES) return list;
  const chosen = list.toSorted((a, b) => b.peakScore - a.peakScore).slice(0, MAX_EPISODES);
  return chosen.sort((a, b) => a.startAt - b.startAt);
}
