// Anomalies over all models, and their judgement.
import type { AnomalyView } from "../../api/anomaly.ts";
import { request } from "./session.ts";

export function listAnomalies(days: number, signal: AbortSignal): Promise<readonly AnomalyView[]> {
  return request(`/anomalies?from=now-${days}d`, { signal });
}

/** Whether it was an anomaly. */
export function judge({ model, id }: Pick<AnomalyView, "model" | "id">, anomaly: boolean): Promise<void> {
  const path = `/models/${encodeURIComponent(model)}/anomalies/${id}/_feedback`;
  return request(path, { method: "POST", body: { anomaly } });
}
