// Sample events and hook services for tests of hooks.
import type { Annotation } from "../../src/core/anomaly/annotation.ts";
import {
  type EventKind,
  type FeatureReport,
  type HookEvent,
  isStart,
  topicOf,
} from "../../src/core/anomaly/event.ts";
import { deliverEvents } from "../../src/hooks/index.ts";
import type { HookContext } from "../../src/hooks/kind.ts";

/** 2018-05-16 15:00:20.966 UTC. */
export const AT = Date.UTC(2018, 4, 16, 15, 0, 20, 966);
export const EPISODE = "0b5f6c1e-8f0a-4f7e-9a61-2f6f3f1f0c11";

export const low: FeatureReport = {
  type: "low",
  score: 76.04,
  observed: 1,
  predicted: 8.5,
  lower: 6,
  upper: 11,
};

/** A feature that says where its values come from. */
export const usage: FeatureReport = {
  type: "high",
  score: 100,
  observed: 93.4,
  predicted: 10,
  lower: 8,
  upper: 12,
  factor: 41.7,
  rarity: 7.2,
  metric: "avg",
  measurement: "cpu",
  field: "usage_user",
  bucket: "telegraf",
  tags: { host: "web-1", cpu: "total" },
};

/** The start of an anomaly of model `m`, or as the test wants it. */
export function makeStart(overrides: Partial<HookEvent> = {}): HookEvent {
  const episode = overrides.episode ?? EPISODE;
  return {
    id: `${episode}:start`,
    kind: "anomaly_start",
    model: "m",
    episode,
    at: AT,
    startedAt: AT,
    score: 76.04,
    features: { count_all_requests: low },
    ...overrides,
  };
}

/** Its end, five minutes later. */
export function makeEnd(overrides: Partial<HookEvent> = {}): HookEvent {
  const start = makeStart(overrides);
  return {
    ...start,
    id: `${start.episode}:end`,
    kind: "anomaly_end",
    at: AT + 300_000,
    score: 12.3,
    ...overrides,
  };
}

/** What is lent to a hook called `h`; a test's own parts take the place of these. */
export function makeContext(overrides: Partial<HookContext> = {}): HookContext {
  return {
    now: () => AT + 1000,
    timezone: "Europe/Paris",
    annotate: async (_bucket: string, _annotation: Annotation) => {},
    publish: async () => {},
    allowPrivate: true,
    programs: [],
    hook: "h",
    key: `${EPISODE}:start/h`,
    signal: new AbortController().signal,
    ...overrides,
  };
}

/** A step of its feature to another level, found a day after it began. */
export function makeLevelShift(overrides: Partial<HookEvent> = {}): HookEvent {
  const start = makeStart(overrides);
  const sinceAt = AT - 86_400_000;
  return {
    ...start,
    id: `${start.episode}:level:user`,
    kind: "level_shift",
    startedAt: sinceAt,
    severity: "info",
    features: { user: usage },
    levelShift: { feature: "user", at: AT, sinceAt, from: 10, to: 93 },
    ...overrides,
  };
}

interface NoticeFacts extends Partial<HookEvent> {
  readonly durationMs?: number;
}

/** An event of another topic, whose start was found twelve minutes after it began; the end follows after an hour. */
function makeNotice(kind: EventKind, facts: NoticeFacts): HookEvent {
  const episode = topicOf(kind);
  const startedAt = AT - 12 * 60_000;
  return {
    id: `${episode}:${isStart(kind) ? "start" : "end"}`,
    kind,
    model: "m",
    episode,
    at: isStart(kind) ? AT : AT + 3_600_000,
    startedAt,
    severity: "warning",
    features: {},
    ...facts,
  };
}

export const makeSilence = (kind: "silence_start" | "silence_end", facts: NoticeFacts = {}) =>
  makeNotice(kind, {
    tags: { host: "web-1" },
    silence: { newestAt: AT - 12 * 60_000, limitMs: 600_000 },
    ...facts,
  });

export const makeSourceEvent = (kind: "source_down" | "source_up") =>
  makeNotice(kind, {
    source: { bucket: "influx", code: "bucket_unavailable", reason: "influxdb refuses the connection" },
  });

export const makeForecastEvent = (kind: "forecast_start" | "forecast_end", facts: NoticeFacts = {}) =>
  makeNotice(kind, {
    features: { user: usage },
    forecast: {
      feature: "user",
      type: "high",
      threshold: 95,
      withinMs: 7 * 86_400_000,
      madeAt: AT,
      level: 80,
      ...(kind === "forecast_start" && {
        firstAt: AT + 5.2 * 86_400_000,
        earliestAt: AT + 3.9 * 86_400_000,
        latestAt: AT + 8 * 86_400_000,
      }),
    },
    ...facts,
  });

export const makeDriftEvent = (kind: "drift_start" | "drift_end") =>
  makeNotice(kind, { features: { user: usage }, drift: { feature: "user", share: 0.18 } });

/** Delivers one event, as a notification of its own. */
export const deliverEvent = (
  event: HookEvent,
  target: Parameters<typeof deliverEvents>[1],
  context: HookContext,
): ReturnType<typeof deliverEvents> => deliverEvents([event], target, context);
