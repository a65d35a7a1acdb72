// Models of the server, their newest anomalies, and the actions of their rows.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ModelView } from "../../api/model.ts";
import { nameOf, parseCounts } from "../lib/model-state.ts";
import { createResource } from "./resource.ts";
import { route } from "./route.ts";
import { request } from "./session.ts";

/** Days of anomalies that the list of models looks back. */
const DAYS = 30;

export const models = createResource((signal) => request<readonly ModelView[]>("/models", { signal }));

/** Models of a page; also the most names that a request of anomalies may have. */
export const PAGE = 100;

export interface ModelPage {
  readonly models: readonly ModelView[];
  /** On all pages. */
  readonly total: number;
  /** Of the models found by name, whatever their state. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The page of models that the address asks for, worst first. */
export const modelPage = createResource(async (signal): Promise<ModelPage> => {
  const { state, q, page = "0" } = route.value.params;
  const query = new URLSearchParams({ sort: "state:1", per_page: String(PAGE), page });
  if (state) query.set("state", state);
  if (q) query.set("q", q);
  let total = 0;
  let counts: ModelPage["counts"] = new Map();
  const onHeaders = (headers: Headers) => {
    total = Number(headers.get("x-total-count"));
    counts = parseCounts(headers.get("x-state-counts"));
  };
  const found = await request<readonly ModelView[]>(`/models?${query}`, { signal, onHeaders });
  return { models: found, total, counts };
});

/** The newest anomaly of each model of the page. */
export const newestAnomalies = createResource(async (signal) => {
  const names = modelPage.loaded.value.value?.models.map(nameOf) ?? [];
  const byModel = new Map<string, AnomalyView>();
  if (names.length === 0) return byModel;
  const query = new URLSearchParams({ from: `now-${DAYS}d`, model: names.join(";") });
  for (const anomaly of await request<readonly AnomalyView[]>(`/anomalies?${query}`, { signal })) {
    const known = byModel.get(anomaly.model);
    if (!known || known.start < anomaly.start) byModel.set(anomaly.model, anomaly);
  }
  return byModel;
});

/** One model with its live detection. */
export function createModelResource(name: string) {
  return createResource((signal) => readModel(name, signal));
}

async function readModel(name: string, signal?: AbortSignal): Promise<ModelView> {
  const [model] = await request<readonly [ModelView]>(path(name), signal ? { signal } : {});
  return model;
}

const path = (name: string) => `/models/${encodeURIComponent(name)}`;

export const actions = {
  /** @param run how it was started before */
  start: (name: string, run: unknown = { detect_anomalies: true }) =>
    request(`${path(name)}/_start`, { method: "POST", body: run }),
  /** @returns how it was started, which is gone with the stop: what the page shows may be older */
  stop: async (name: string) => {
    const { run } = (await readModel(name)).settings;
    await request(`${path(name)}/_stop`, { method: "POST" });
    return run;
  },
  train: (name: string) => request(`${path(name)}/_train?from=now-30d&bg=true`, { method: "POST" }),
};

/** A model as it was read, with its entity tag for a change. */
export interface StoredModel {
  readonly model: ModelView;
  readonly etag: string;
}

/** @throws Problem */
export async function readStored(name: string, signal?: AbortSignal): Promise<StoredModel> {
  let etag = "";
  const path = `/models/${encodeURIComponent(name)}`;
  const onTag = (tag: string) => (etag = tag);
  const [model] = await request<readonly [ModelView]>(path, { onTag, ...(signal && { signal }) });
  return { model, etag };
}
