// Reports over a store, and the anomalies and changes that they tell of.

import { type EventSubject, type FeatureReport, subjectOf } from "../../../src/core/anomaly/event.ts";
import type { Feedback } from "../../../src/core/anomaly/feedback.ts";
import type { SendMail } from "../../../src/hooks/mail/smtp.ts";
import { Anomalies } from "../../../src/resources/anomalies.ts";
import { Budgets } from "../../../src/resources/budgets.ts";
import { Capacity } from "../../../src/resources/capacity.ts";
import { Live } from "../../../src/resources/live/index.ts";
import { ModelList } from "../../../src/resources/models/list.ts";
import { Now } from "../../../src/resources/now.ts";
import { Reports } from "../../../src/resources/report/index.ts";
import { changeEpisodes, saveFeedback } from "../../../src/store/anomalies/episodes.ts";
import { replaceBudgets } from "../../../src/store/budgets.ts";
import { recordChanges } from "../../../src/store/changes/changes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { type NewOutlook, replaceOutlooks } from "../../../src/store/outlooks.ts";
import type { TemporaryStore } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Sunday. */
export const NOW = Date.parse("2026-02-08T00:00:00Z");

/** @param externalUrl of a server with a dashboard */
export function makeReports(
  store: TemporaryStore,
  { sendMail, externalUrl }: { readonly sendMail?: SendMail; readonly externalUrl?: string } = {},
): Reports {
  const clock = { now: () => NOW };
  const live = new Live({ store, clock, output: { problemOf: () => undefined } } as never);
  const models = new ModelList({ store, clock, live, queue: { progressOf: () => undefined } });
  const now = new Now({ store, clock, models, anomalies: new Anomalies({ store, clock }) });
  const capacity = new Capacity({ store, clock });
  const budgets = new Budgets({ store, clock, openBucket: () => Promise.reject(new Error("not read")) });
  const deps = { store, clock, now, capacity, budgets };
  const texts = () => ({ timezone: "UTC", externalUrl, hasDashboard: true });
  return new Reports({ ...deps, texts, sendMail: () => sendMail });
}

export const feature: FeatureReport = {
  ...{ type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6, field: "load" },
  tags: { host: "web-1" },
};

interface AnAnomaly extends EventSubject {
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
export async function putAnomaly(store: TemporaryStore, own: AnAnomaly): Promise<string> {
  const { model = "m", startAt, endAt = startAt + 10 * MINUTE, peakScore = 80, severity = "info" } = own;
  const id = crypto.randomUUID();
  const features = own.features ?? { f: feature };
  const episode = { ...subjectOf(own), id, model, startAt, peakScore, severity, features, peak: features };
  await write(store, (tx) =>
    changeEpisodes(tx, [
      { change: "open", episode },
      ...(endAt === null ? [] : [{ change: "close" as const, id, endAt }]),
    ]),
  );
  if (own.anomaly !== undefined) await saveFeedback(store, { model, id }, { anomaly: own.anomaly, at: NOW });
  return id;
}

export async function putModel(store: TemporaryStore, name: string, own: object = {}): Promise<void> {
  await createModel(store, { name, settings: aModel({ name, ...own }) }, 1);
}

export async function putChange(store: TemporaryStore, title: string, at: number): Promise<void> {
  const change = { id: title, at, endAt: null, kind: "deploy", title, tags: {}, url: null };
  await recordChanges(store, [change], { at });
}

/** A live model with an error budget. @param remaining share that is left */
export async function putBudget(store: TemporaryStore, model: string, remaining: number): Promise<void> {
  const budget = { total: "requests", bad: "errors", objective: 0.99 };
  const parts = ["requests", "errors"].map((name) => ({ name, metric: "sum", field: name }));
  await putModel(store, model, { features: [...parts, { name: "burn", budget }] });
  store.sqlite.run("insert into live (model, started_at, options, state) values (?, 1, '{}', '{}')", [model]);
  const rates = { "1h": 1, "6h": 1, "1d": 1, "3d": 1 };
  const counts = { bad: 1000 * (1 - remaining), total: 100_000, missing: 0, impossible: 0 };
  const exhaustion = { outlook: "expected", at: NOW + 3 * DAY } as const;
  const state = { remaining, ...counts, rates, burn: undefined, exhaustion };
  await replaceBudgets(store, { model }, [{ feature: "burn", isKnown: true, remaining, madeAt: NOW, state }]);
}

/** A disk that is full in twelve days. */
export async function putOutlook(store: TemporaryStore, model: string, isPredictable = true): Promise<void> {
  await putModel(store, model, { features: [{ name: "used", metric: "avg", field: "used", unit: "%" }] });
  store.sqlite.run("insert into live (model, started_at, options, state) values (?, 1, '{}', '{}')", [model]);
  const outlook: NewOutlook = {
    ...{ feature: "used", type: "high", bound: 100, source: "unit", value: 81.2, perDay: 1.6 },
    ...{ reachedAt: NOW + 12 * DAY, earliestAt: NOW + 10 * DAY, latestAt: null },
    ...{ hits: 14, cases: 16, isPredictable, madeAt: NOW },
  };
  await replaceOutlooks(store, { model }, [outlook]);
}
