// Anomalies over all models, and their judgement.
import type { AnomalyLanesView, AnomalyView } from "../../api/anomaly.ts";
import { request } from "./session.ts";

export function listAnomalies(days: number, signal: AbortSignal): Promise<readonly AnomalyView[]> {
  return request(`/anomalies?from=now-${days}d`, { signal });
}

/** The peak of each model per cell. */
export function readLanes(days: number, cells: number, signal: AbortSignal): Promise<AnomalyLanesView> {
  return request(`/anomalies/_lanes?from=now-${days}d&cells=${cells}`, { signal });
}

/** Takes a verdict back. */
export function withdraw({ model, id }: Pick<AnomalyView, "model" | "id">): Promise<void> {
  return request(`/models/${encodeURIComponent(model)}/anomalies/${id}/_feedback`, { method: "DELETE" });
}

/** Whether it was an anomaly. */
export function judge({ model, id }: Pick<AnomalyView, "model" | "id">, anomaly: boolean): Promise<void> {
  const path = `/models/${encodeURIComponent(model)}/anomalies/${id}/_feedback`;
  return request(path, { method: "POST", body: { anomaly } });
}
