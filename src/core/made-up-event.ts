// The made-up anomaly that a test of a hook tells of: a start and its end, marked as such.
import type { AnomalyEvent, FeatureReport } from "./event.ts";

const LASTS_MS = 60_000;
const report: FeatureReport = { type: "high", score: 99, observed: 30, predicted: 10, lower: 8, upper: 12 };

export interface MadeUp {
  readonly model: string;
  /** Names of features. */
  readonly features: readonly string[];
  /** UUID of its own. */
  readonly episode: string;
  /** When it ends, ms since the epoch. */
  readonly at: number;
}

/** Both events, in order. */
export function makeTestEvents({ model, features, episode, at }: MadeUp): readonly AnomalyEvent[] {
  const startedAt = at - LASTS_MS;
  const shared = {
    model,
    episode,
    startedAt,
    features: Object.fromEntries(features.map((name) => [name, report])),
    test: true,
  };
  return [
    { ...shared, id: `${episode}:start`, kind: "anomaly_start", at: startedAt, score: report.score },
    { ...shared, id: `${episode}:end`, kind: "anomaly_end", at, score: 1 },
  ];
}
