// From the scores of new intervals to what changes: the anomaly's state, its episodes, and the events to tell; pure.
import {
  type AnomalyEvent,
  type FeatureReport,
  type FeatureSource,
  rarityOf,
} from "../core/anomaly/event.ts";
import { type AnomalyRules, normalState, stepAnomaly } from "../core/anomaly/state.ts";
import { contributingFeatures } from "../models/scoring/detect.ts";
import type { EpisodeChange, EpisodeRow } from "../store/anomalies/episodes.ts";
import type { PlannedEvent } from "../store/anomalies/outbox.ts";
import type { LiveState, Ongoing } from "./state.ts";

/** So many low scores in a row, all from before an anomaly, end it. */
const MAX_BEHIND = 60;

/** One interval, scored. */
export interface ScoredPoint {
  /** Its start, ms since the epoch. */
  readonly at: number;
  /** 0..100; undefined where nothing was observed. */
  readonly score: number | undefined;
  /** Every feature that was observed. */
  readonly features: Readonly<Record<string, FeatureReport>>;
}

export interface AdvanceContext {
  readonly model: string;
  readonly rules: AnomalyRules;
  /** By feature; called only for an event or a peak. Default: sources are unknown. */
  readonly sources?: () => Readonly<Record<string, FeatureSource>>;
  /** Until when hooks are silent; undefined = they are not. Only asked where there is something to tell. */
  readonly mutedUntil: () => number | undefined;
  /** A fresh UUID. */
  readonly newId: () => string;
}

/** An anomaly that started or ended, whether hooks are silent or not. */
export interface EpisodeNotice {
  readonly change: "started" | "ended";
  readonly model: string;
  /** UUID of the episode. */
  readonly id: string;
  /** At the start; of an end the peak. */
  readonly score: number;
  readonly features: Readonly<Record<string, unknown>>;
  /** Of an end. */
  readonly durationMs?: number;
  readonly closedBy?: string;
}

export interface Advance {
  readonly notices: readonly EpisodeNotice[];
  readonly state: LiveState;
  readonly episodes: readonly EpisodeChange[];
  readonly events: readonly PlannedEvent[];
}

/** Takes the state machine over new intervals, oldest first. */
export function advance(before: LiveState, points: readonly ScoredPoint[], context: AdvanceContext): Advance {
  const walk = new EpisodeTracker(before, context);
  for (const point of points) walk.step(point);
  return walk.finish();
}

class EpisodeTracker {
  readonly #episodes: EpisodeChange[] = [];
  readonly #events: PlannedEvent[] = [];
  readonly #notices: EpisodeNotice[] = [];
  #state: LiveState;
  #mute: { readonly untilAt: number | undefined } | undefined;

  constructor(
    before: LiveState,
    private readonly context: AdvanceContext,
  ) {
    this.#state = before;
  }

  step(point: ScoredPoint): void {
    const startedAt = this.#state.episode?.startedAt ?? -Infinity;
    if (point.at < startedAt) this.#stepBehind(point, startedAt);
    else this.#stepAhead(point);
  }

  #stepAhead(point: ScoredPoint): void {
    const { rules } = this.context;
    this.#setBehind(0);
    const { state, event } = stepAnomaly(this.#state.anomaly, point, rules);
    this.#state = { ...this.#state, anomaly: state };
    if (event === "start") this.#start(point);
    else if (event === "end") this.#end(point);
    else if (state.active) this.#raise(point);
  }

  /**
   * The clock was set back to before the anomaly. It may go forward again, so old intervals do not end the anomaly, unless
   * the scores stay low: then the clock was wrong when it began.
   */
  #stepBehind({ at, score, features }: ScoredPoint, startedAt: number): void {
    const { rules } = this.context;
    if (score === undefined || Number.isNaN(score)) return;
    const behind = score < rules.min ? (this.#state.behind ?? 0) + 1 : 0;
    this.#setBehind(behind);
    if (behind < MAX_BEHIND) return;
    this.#state = { ...this.#state, anomaly: { active: false, endedAt: at } };
    this.#setBehind(0);
    this.#end({ at: startedAt, score, features });
  }

  #setBehind(behind: number): void {
    if (behind === (this.#state.behind ?? 0)) return;
    const { behind: _, ...rest } = this.#state;
    this.#state = (behind > 0 ? { ...rest, behind } : rest) as LiveState;
  }

  /** Tells of an anomaly that began in silence and still lasts when the silence is over. */
  finish(): Advance {
    const { episode } = this.#state;
    if (episode && !episode.announced && this.#mutedUntil() === undefined) {
      this.#state = { ...this.#state, episode: { ...episode, announced: true } };
      this.#events.push({ event: startEvent(this.context.model, episode) });
    }
    return { state: this.#state, episodes: this.#episodes, events: this.#events, notices: this.#notices };
  }

  #start({ at, score = 0, features: all }: ScoredPoint): void {
    const { model, newId } = this.context;
    const features = this.#describe(all);
    const peakRarity = rarityOf(features);
    const id = newId();
    const announced = this.#mutedUntil() === undefined;
    const episode: Ongoing = {
      id,
      startedAt: at,
      score,
      features,
      peakScore: score,
      ...(peakRarity !== undefined && { peakRarity }),
      announced,
    };
    this.#state = { ...this.#state, episode };
    this.#episodes.push({
      change: "open",
      episode: { id, model, startAt: at, peakScore: score, features, peak: features },
    });
    this.#notices.push({ change: "started", model, id, score, features });
    if (announced) this.#events.push({ event: startEvent(model, episode) });
  }

  #raise({ score = 0, features }: ScoredPoint): void {
    const { episode } = this.#state;
    if (!episode || score < episode.peakScore) return;
    const peakRarity = rarityOf(contributingFeatures(features, this.context.rules.min));
    // Many points have the score 100: the rarest of them is the peak.
    const isRarer = peakRarity !== undefined && peakRarity > (episode.peakRarity ?? Infinity);
    if (score === episode.peakScore && !isRarer) return;
    const { peakRarity: _, ...rest } = episode;
    const raised = { ...rest, peakScore: score, ...(peakRarity !== undefined && { peakRarity }) };
    this.#state = { ...this.#state, episode: raised };
    const peak = this.#describe(features);
    this.#episodes.push({ change: "peak", id: episode.id, peakScore: score, peak });
  }

  /** The features that take part, with where their values come from. */
  #describe(all: ScoredPoint["features"]): Record<string, FeatureReport> {
    const { rules, sources } = this.context;
    const byName = sources?.() ?? {};
    const reports = Object.entries(contributingFeatures(all, rules.min));
    return Object.fromEntries(reports.map(([name, report]) => [name, { ...report, ...byName[name] }]));
  }

  /** What nobody heard begin, nobody hears end. */
  #end({ at, score = 0 }: ScoredPoint): void {
    const { episode, ...rest } = this.#state;
    this.#state = rest as LiveState;
    if (!episode) return;
    const { id, startedAt, features, peakScore } = episode;
    this.#episodes.push({ change: "close", id, endAt: at });
    const durationMs = Math.max(0, at - startedAt);
    const { model } = this.context;
    this.#notices.push({ change: "ended", model, id, score: peakScore, features, durationMs });
    if (episode.announced)
      this.#events.push(later(endEvent(this.context.model, episode, { at, score }), this.#mutedUntil()));
  }

  #mutedUntil(): number | undefined {
    this.#mute ??= { untilAt: this.context.mutedUntil() };
    return this.#mute.untilAt;
  }
}

function startEvent(model: string, { id, startedAt, score, features }: Ongoing): AnomalyEvent {
  const kind = "anomaly_start";
  return { id: `${id}:start`, kind, model, episode: id, at: startedAt, startedAt, score, features };
}

function endEvent(
  model: string,
  { id, startedAt, features }: Pick<Ongoing, "id" | "startedAt" | "features">,
  end: { at: number; score: number; closedBy?: string },
): AnomalyEvent {
  const durationMs = Math.max(0, end.at - startedAt);
  return {
    id: `${id}:end`,
    kind: "anomaly_end",
    model,
    episode: id,
    startedAt,
    durationMs,
    features,
    ...end,
  };
}

function later(event: AnomalyEvent, notBefore: number | undefined): PlannedEvent {
  return { event, ...(notBefore !== undefined && { notBefore }) };
}

export interface Closing {
  readonly state: LiveState;
  /** As it was closed. */
  readonly episode: EpisodeRow;
  readonly mutedUntil: number | undefined;
}

/** What hooks are told of an anomaly that ends because detection does; undefined where they do not know of it. */
export function describeClosing({ state, episode, mutedUntil }: Closing): PlannedEvent | undefined {
  if (state.episode?.id !== episode.id || !state.episode.announced) return undefined;
  const { model, startAt: startedAt, endAt, peakScore, closedBy } = episode;
  const end = { at: endAt ?? startedAt, score: peakScore, ...(closedBy && { closedBy }) };
  return later(endEvent(model, { ...episode, startedAt }, end), mutedUntil);
}

/** The state once detection is off: no anomaly, everything else as it was. */
export function calmDown({ episode: _, ...state }: LiveState): LiveState {
  return { ...state, anomaly: normalState } as LiveState;
}
