// Takes the anomaly state machine over scored intervals: new state, changes of episodes, events for hooks; pure.
import type { Confidence } from "../../core/anomaly/confidence.ts";
import {
  type FeatureReport,
  type FeatureSource,
  rarityOf,
  type SubjectFields,
} from "../../core/anomaly/event.ts";
import { higherSeverity, severityOf } from "../../core/anomaly/severity.ts";
import { startScoreOf } from "../../core/anomaly/start-guard.ts";
import { type AnomalyRules, stepAnomaly } from "../../core/anomaly/state.ts";
import { contributingFeatures } from "../../models/scoring/detect.ts";
import type { EpisodeChange } from "../../store/anomalies/episodes.ts";
import { type PlannedEvent, planEvent } from "../../store/anomalies/outbox.ts";
import type { LiveState, Ongoing } from "../state.ts";
import { isCovered } from "./coverage.ts";
import { endEvent, severityOfOngoing, startEvent } from "./episode-events.ts";
import { pickSubject, type Subject } from "./subject.ts";

/** This many low scores in a row, all of intervals before the anomaly, end it. */
const MAX_BEHIND = 60;

/** One interval, scored. */
export interface ScoredPoint {
  /** Its start, ms since the epoch. */
  readonly at: number;
  /** 0..100; undefined where nothing was observed. */
  readonly score: number | undefined;
  /** Every feature that was observed. */
  readonly features: Readonly<Record<string, FeatureReport>>;
  /** Limits the score that may start an anomaly, 0..100; absent: no limit. */
  readonly startCap?: number;
}

interface AdvanceContext extends SubjectFields {
  readonly model: string;
  readonly rules: AnomalyRules;
  /** Of the scores; absent: unknown. */
  readonly confidence?: Confidence;
  /** By feature; called for an event or a peak only. Default: sources are unknown. */
  readonly sources?: () => Readonly<Record<string, FeatureSource>>;
  /** Until when hooks are muted, ms since the epoch; undefined = they are not. Called for an event only. */
  readonly mutedUntil: () => number | undefined;
  /** @returns a fresh UUID */
  readonly newId: () => string;
}

/** An anomaly that started or ended, whether hooks are muted or not. */
export interface EpisodeNotice extends Subject {
  readonly change: "started" | "ended";
  /** UUID of the episode. */
  readonly id: string;
  /** Of the start; for an end the peak. */
  readonly score: number;
  readonly features: Readonly<Record<string, unknown>>;
  /** For an end only. */
  readonly durationMs?: number;
  readonly closedBy?: string;
}

export interface Advance {
  readonly notices: readonly EpisodeNotice[];
  readonly state: LiveState;
  readonly episodes: readonly EpisodeChange[];
  readonly events: readonly PlannedEvent[];
  /** One per interval: whether an anomaly was in progress at its end. */
  readonly active: readonly boolean[];
}

/** Takes the state machine over intervals, oldest first; those that were scored before do not move it. */
export function advance(before: LiveState, points: readonly ScoredPoint[], context: AdvanceContext): Advance {
  const tracker = new EpisodeTracker(before, context);
  const active = points.map((point) => tracker.step(point));
  return { ...tracker.finish(), active };
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

  /** @returns whether the interval is part of an anomaly */
  step(point: ScoredPoint): boolean {
    const startedAt = this.#state.episode?.startedAt ?? -Infinity;
    const isCounted = !isCovered(this.#state.scored ?? [], point.at);
    if (isCounted && point.at >= startedAt) return this.#stepAhead(point);
    if (isCounted) this.#stepBehind(point, startedAt);
    return this.#stepState(point).state.active;
  }

  #stepState({ at, score, features, startCap }: ScoredPoint) {
    const { rules } = this.context;
    const guarded = startScoreOf(features, rules.guards) ?? score;
    const startScore =
      startCap === undefined || guarded === undefined ? guarded : Math.min(guarded, startCap);
    return stepAnomaly(this.#state.anomaly, { at, score, startScore }, rules);
  }

  #stepAhead(point: ScoredPoint): boolean {
    this.#setBehind(0);
    const { state, event } = this.#stepState(point);
    this.#state = { ...this.#state, anomaly: state };
    if (event === "start") this.#start(point);
    else if (event === "end") this.#end(point);
    else if (state.active) this.#raise(point);
    return state.active;
  }

  /**
   * The clock was set back to before the anomaly, and may go forward again: old intervals end the anomaly only if their
   * scores stay low, because then the clock was wrong when it began.
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

  /** Announces an anomaly that started while hooks were muted and lasts longer than that. */
  finish(): Omit<Advance, "active"> {
    const { episode } = this.#state;
    if (episode && !episode.announced && this.#mutedUntil() === undefined) {
      this.#state = { ...this.#state, episode: { ...episode, announced: true } };
      this.#events.push({ event: startEvent(this.#subject, episode) });
    }
    return { state: this.#state, episodes: this.#episodes, events: this.#events, notices: this.#notices };
  }

  #start({ at, score = 0, features: all }: ScoredPoint): void {
    const { rules, confidence, newId } = this.context;
    const subject = this.#subject;
    const features = this.#describe(all);
    const severity = severityOf(features, rules.maxRarity);
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
      severity,
      startSeverity: severity,
      ...(confidence && { confidence }),
      announced,
    };
    this.#state = { ...this.#state, episode };
    this.#episodes.push({
      change: "open",
      episode: {
        id,
        ...subject,
        startAt: at,
        peakScore: score,
        features,
        peak: features,
        severity,
        ...(confidence && { confidence }),
      },
    });
    this.#notices.push({ change: "started", ...subject, id, score, features });
    if (announced) this.#events.push({ event: startEvent(subject, episode) });
  }

  /** Raises severity and peak; either may rise without the other. */
  #raise({ score, features }: ScoredPoint): void {
    const { rules } = this.context;
    const { episode } = this.#state;
    if (!episode || score === undefined) return;
    const contributing = contributingFeatures(features, rules.min);
    const before = severityOfOngoing(episode);
    const severity = higherSeverity(before, severityOf(contributing, rules.maxRarity));
    const peakRarity = rarityOf(contributing);
    // The score ends at 100: beyond, the rarest point is the peak.
    const isRarer = peakRarity !== undefined && peakRarity > (episode.peakRarity ?? Infinity);
    const isPeak = score > episode.peakScore || (score === episode.peakScore && isRarer);
    if (!isPeak && severity === before) return;
    const { id } = episode;
    if (!isPeak) {
      this.#state = { ...this.#state, episode: { ...episode, severity } };
      this.#episodes.push({ change: "severity", id, severity });
      return;
    }
    const { peakRarity: _, ...rest } = episode;
    const rarity = peakRarity !== undefined && { peakRarity };
    this.#state = { ...this.#state, episode: { ...rest, peakScore: score, ...rarity, severity } };
    this.#episodes.push({ change: "peak", id, peakScore: score, peak: this.#describe(features), severity });
  }

  /** The contributing features, with the sources of their values. */
  #describe(all: ScoredPoint["features"]): Record<string, FeatureReport> {
    const { rules, sources } = this.context;
    const byName = sources?.() ?? {};
    const reports = Object.entries(contributingFeatures(all, rules.min));
    return Object.fromEntries(reports.map(([name, report]) => [name, { ...report, ...byName[name] }]));
  }

  /** An anomaly that was never announced has no end event. */
  #end({ at, score = 0 }: ScoredPoint): void {
    const { episode, ...rest } = this.#state;
    this.#state = rest as LiveState;
    if (!episode) return;
    const { id, startedAt, features, peakScore } = episode;
    this.#episodes.push({ change: "close", id, endAt: at });
    const durationMs = Math.max(0, at - startedAt);
    const subject = this.#subject;
    this.#notices.push({ change: "ended", ...subject, id, score: peakScore, features, durationMs });
    if (episode.announced)
      this.#events.push(planEvent(endEvent(subject, episode, { at, score }), this.#mutedUntil()));
  }

  get #subject(): Subject {
    return pickSubject(this.context);
  }

  #mutedUntil(): number | undefined {
    this.#mute ??= { untilAt: this.context.mutedUntil() };
    return this.#mute.untilAt;
  }
}
