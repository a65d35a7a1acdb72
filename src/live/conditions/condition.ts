// Conditions of a live model beside anomalies: each has a start event and an end event, held back while muted; pure.
import type { EventKind, EventTopic, HookEvent, SubjectFields } from "../../core/anomaly/event.ts";
import { type PlannedEvent, planEvent } from "../../store/anomalies/outbox.ts";
import { pickSubject } from "../episodes/subject.ts";

type Topic = Extract<EventTopic, "silence" | "forecast" | "drift">;

/** What the events of a condition report. */
type ConditionFacts = Pick<HookEvent, "silence" | "forecast" | "drift" | "tags" | "severity"> &
  Partial<Pick<HookEvent, "features">>;

/** JSON, part of the live state while the condition lasts. */
interface Condition {
  /** A UUID. */
  readonly id: string;
  readonly topic: Topic;
  /** ms since the epoch. */
  readonly startedAt: number;
  /** Whether its start event was queued: not while hooks are muted. */
  readonly announced: boolean;
  readonly facts: ConditionFacts;
}

/** By key: `silence`, `drift`, or one per watched forecast. */
export type Conditions = Readonly<Record<string, Condition>>;

/** A condition as an evaluation found it. */
export interface Observation {
  readonly key: string;
  readonly topic: Topic;
  readonly isActive: boolean;
  /** When it began, ms since the epoch; used when it is new. */
  readonly startedAt: number;
  /** Of its event. */
  readonly facts: ConditionFacts;
  /** Reason of an end that the series did not bring about. */
  readonly closedBy?: string;
}

interface ConditionContext extends SubjectFields {
  readonly model: string;
  /** Of the evaluation, ms since the epoch. */
  readonly at: number;
  /** Until when hooks are muted, ms since the epoch; undefined = they are not. Called for an event only. */
  readonly mutedUntil: () => number | undefined;
  /** @returns a fresh UUID */
  readonly newId: () => string;
}

/** Applies observations; conditions without one stay as they are. */
export function followConditions(
  before: Conditions,
  observations: readonly Observation[],
  context: ConditionContext,
): { readonly conditions: Conditions; readonly events: readonly PlannedEvent[] } {
  const conditions: Record<string, Condition> = { ...before };
  const events: PlannedEvent[] = [];
  for (const observation of observations) {
    const { key, isActive } = observation;
    const known = conditions[key];
    if (isActive) {
      const { condition, event } = hold(known, observation, context);
      conditions[key] = condition;
      if (event) events.push(event);
    } else if (known) {
      delete conditions[key];
      if (known.announced) events.push(endCondition(known, observation, context));
    }
  }
  return { conditions, events };
}

/** A condition that lasts or begins; announced once hooks are not muted. */
function hold(
  known: Condition | undefined,
  { topic, startedAt, facts }: Observation,
  { model, series, at, mutedUntil, newId }: ConditionContext,
): { condition: Condition; event?: PlannedEvent } {
  const condition = known ?? { id: newId(), topic, startedAt, announced: false, facts };
  if (condition.announced || mutedUntil() !== undefined) return { condition };
  const announced = { ...condition, announced: true, facts };
  return {
    condition: announced,
    event: planEvent(toEvent(announced, "start", { model, series, at, facts }), undefined),
  };
}

/** The end event of a condition that was announced. */
export function endCondition(
  condition: Condition,
  { facts, closedBy }: { readonly facts?: ConditionFacts; readonly closedBy?: string },
  { model, series, at, mutedUntil }: Pick<ConditionContext, "model" | "series" | "at" | "mutedUntil">,
): PlannedEvent {
  const event = toEvent(condition, "end", { model, series, at, facts: { ...condition.facts, ...facts } });
  return planEvent({ ...event, ...(closedBy !== undefined && { closedBy }) }, mutedUntil());
}

function toEvent(
  { id, topic, startedAt, facts: first }: Condition,
  step: "start" | "end",
  {
    at,
    facts,
    ...subject
  }: SubjectFields & {
    readonly model: string;
    readonly at: number;
    readonly facts: ConditionFacts;
  },
): HookEvent {
  const { severity = "warning" } = first;
  return {
    id: `${id}:${step}`,
    kind: `${topic}_${step}` as EventKind,
    ...pickSubject(subject),
    episode: id,
    at,
    startedAt,
    ...(step === "end" && { durationMs: Math.max(0, at - startedAt), startSeverity: severity }),
    features: {},
    ...facts,
    severity,
  };
}
