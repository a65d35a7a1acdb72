// Reports over a store, and the anomalies and changes that they tell of.

import type { FeatureReport } from "../../../src/core/anomaly/event.ts";
import type { Feedback } from "../../../src/core/anomaly/feedback.ts";
import type { SendMail } from "../../../src/hooks/mail/smtp.ts";
import { Anomalies } from "../../../src/resources/anomalies.ts";
import { Live } from "../../../src/resources/live/index.ts";
import { ModelList } from "../../../src/resources/models/list.ts";
import { Now } from "../../../src/resources/now.ts";
import { Reports } from "../../../src/resources/report/index.ts";
import { changeEpisodes, saveFeedback } from "../../../src/store/anomalies/episodes.ts";
import { recordChanges } from "../../../src/store/changes/changes.ts";
import type { Store } from "../../../src/store/db/open.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Sunday. */
export const NOW = Date.parse("2026-02-08T00:00:00Z");

export function makeReports(store: Store, sendMail?: SendMail): Reports {
  const clock = { now: () => NOW };
  const live = new Live({ store, clock, output: { problemOf: () => undefined } } as never);
  const models = new ModelList({ store, clock, live, queue: { progressOf: () => undefined } });
  const now = new Now({ store, clock, models, anomalies: new Anomalies({ store, clock }) });
  return new Reports({ store, clock, now, timezone: () => "UTC", sendMail: () => sendMail });
}

export const feature: FeatureReport = {
  ...{ type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6, field: "load" },
  tags: { host: "web-1" },
};

interface AnAnomaly {
  readonly model?: string;
  readonly startAt: number;
  /** null: it lasts; default: ten minutes after its start. */
  readonly endAt?: number | null;
  readonly peakScore?: number;
  readonly severity?: "info" | "warning" | "critical";
  readonly anomaly?: Feedback["anomaly"];
  readonly features?: Readonly<Record<string, FeatureReport>>;
}

/** @returns its id */
export async function putAnomaly(store: Store, own: AnAnomaly): Promise<string> {
  const { model = "m", startAt, endAt = startAt + 10 * MINUTE, peakScore = 80, severity = "info" } = own;
  const id = crypto.randomUUID();
  const features = own.features ?? { f: feature };
  const episode = { id, model, startAt, peakScore, severity, features, peak: features };
  await write(store, (tx) =>
    changeEpisodes(tx, [
      { change: "open", episode },
      ...(endAt === null ? [] : [{ change: "close" as const, id, endAt }]),
    ]),
  );
  if (own.anomaly !== undefined) await saveFeedback(store, { model, id }, { anomaly: own.anomaly, at: NOW });
  return id;
}

export async function putModel(store: Store, name: string, own: object = {}): Promise<void> {
  await createModel(store, { name, settings: aModel({ name, ...own }) }, 1);
}

export async function putChange(store: Store, title: string, at: number): Promise<void> {
  const change = { id: title, at, endAt: null, kind: "deploy", title, tags: {}, url: null };
  await recordChanges(store, [change], { at });
}
