// Models of the server, their newest anomalies, and the actions of their rows.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ModelView } from "../../api/model.ts";
import { createResource } from "./resource.ts";
import { request } from "./session.ts";

/** Days of anomalies that the list of models looks back. */
const DAYS = 30;

export const models = createResource((signal) => request<readonly ModelView[]>("/models", { signal }));

/** The newest anomaly of each model. */
export const newestAnomalies = createResource(async (signal) => {
  const list = await request<readonly AnomalyView[]>(`/anomalies?from=now-${DAYS}d`, { signal });
  const byModel = new Map<string, AnomalyView>();
  for (const anomaly of list) {
    const known = byModel.get(anomaly.model);
    if (!known || known.start < anomaly.start) byModel.set(anomaly.model, anomaly);
  }
  return byModel;
});

/** One model with its live detection. */
export function createModelResource(name: string) {
  return createResource(async (signal) => {
    const [model] = await request<readonly [ModelView]>(path(name), { signal });
    return model;
  });
}

const path = (name: string) => `/models/${encodeURIComponent(name)}`;

export const actions = {
  start: (name: string) => request(`${path(name)}/_start?detect_anomalies=true`, { method: "POST" }),
  stop: (name: string) => request(`${path(name)}/_stop`, { method: "POST" }),
  train: (name: string) => request(`${path(name)}/_train?from=now-30d&bg=true`, { method: "POST" }),
};
