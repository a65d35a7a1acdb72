// The events of a hook's test: a start and an end with the model's own features, marked as a test.
import type { ModelSettings } from "../model/model.ts";
import { MINUTE_MS } from "../time/time.ts";
import { type AnomalyEvent, type FeatureReport, factorOf, sourcesOf } from "./event.ts";

const LASTS_MS = 12 * MINUTE_MS;
const values = { observed: 93.4, predicted: 10.2, lower: 6.2, upper: 14.2 };
const report: FeatureReport = { type: "high", score: 99, ...values, factor: factorOf(values)!, rarity: 5.94 };

export interface TestEvent {
  /** The model whose anomaly it might be. */
  readonly settings: Pick<ModelSettings, "name" | "features" | "default_bucket" | "default_datasource">;
  /** UUID of its own. */
  readonly episode: string;
  /** When it ends, ms since the epoch. */
  readonly at: number;
}

/** Both events, in order. */
export function makeTestEvents({ settings, episode, at }: TestEvent): readonly AnomalyEvent[] {
  const startedAt = at - LASTS_MS;
  const shared = {
    model: settings.name,
    episode,
    startedAt,
    features: Object.fromEntries(
      Object.entries(sourcesOf(settings)).map(([name, source]) => [name, { ...report, ...source }]),
    ),
    test: true,
  };
  return [
    { ...shared, id: `${episode}:start`, kind: "anomaly_start", at: startedAt, score: report.score },
    { ...shared, id: `${episode}:end`, kind: "anomaly_end", at, durationMs: LASTS_MS, score: 1 },
  ];
}
