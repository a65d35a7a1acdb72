// Test events of a hook: a start and an end with the features of the model, marked as a test.
import type { ModelSettings } from "../model/model.ts";
import { MINUTE_MS } from "../time/time.ts";
import { type FeatureReport, factorOf, type HookEvent, sourcesOf } from "./event.ts";
import { severityOf } from "./severity.ts";

const DURATION_MS = 12 * MINUTE_MS;
const values = { observed: 93.4, predicted: 10.2, lower: 6.2, upper: 14.2 };
/** The same of a share of a whole. */
const shares = { observed: 0.934, predicted: 0.102, lower: 0.062, upper: 0.142 };
const report: FeatureReport = { type: "high", score: 99, ...values, factor: factorOf(values)!, rarity: 5.94 };

interface TestEvent {
  /** Settings of the model that the test pretends an anomaly of. */
  readonly settings: Pick<
    ModelSettings,
    "name" | "features" | "group_by" | "default_bucket" | "default_datasource"
  >;
  /** A fresh UUID. */
  readonly episode: string;
  /** End of the pretended anomaly, ms since the epoch. */
  readonly at: number;
}

/** The start and the end, in order. */
export function makeTestEvents({ settings, episode, at }: TestEvent): readonly HookEvent[] {
  const startedAt = at - DURATION_MS;
  const severity = severityOf({ report });
  const shared = {
    model: settings.name,
    ...(settings.group_by && {
      series: Object.fromEntries(settings.group_by.map((tag) => [tag, "example"])),
    }),
    episode,
    startedAt,
    severity,
    features: Object.fromEntries(
      Object.entries(sourcesOf(settings)).map(([name, source]) => {
        const own = source.unit === "ratio" ? { ...report, ...shares } : report;
        return [name, { ...own, ...source }];
      }),
    ),
    test: true,
  };
  return [
    { ...shared, id: `${episode}:start`, kind: "anomaly_start", at: startedAt, score: report.score },
    {
      ...shared,
      id: `${episode}:end`,
      kind: "anomaly_end",
      at,
      durationMs: DURATION_MS,
      score: 1,
      startSeverity: severity,
    },
  ];
}
