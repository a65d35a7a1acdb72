// Anomalies over all models, and their judgement.
import type { AnomalyLanesView, AnomalyView } from "../../../api/anomaly.ts";
import { request } from "../session.ts";

/** Anomalies of a list, the newest; and with older ones as many as the server answers. */
export const listLimits = { usual: 2000, older: 10_000 } as const;

interface Period {
  readonly days: number;
  /** Absent: all. */
  readonly model: string | undefined;
}

const queryOf = ({ days, model }: Period) =>
  `from=now-${days}d${model === undefined ? "" : `&model=${encodeURIComponent(model)}`}`;

export function listAnomalies(
  period: Period,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<readonly AnomalyView[]> {
  return request(`/anomalies?${queryOf(period)}&limit=${limit}`, { signal });
}

/** The peak of each model per cell. */
export function readLanes(period: Period, cells: number, signal: AbortSignal): Promise<AnomalyLanesView> {
  return request(`/anomalies/_lanes?${queryOf(period)}&cells=${cells}`, { signal });
}

/** Takes a verdict back. */
export function withdraw({ model, id }: Pick<AnomalyView, "model" | "id">): Promise<void> {
  return request(`/models/${encodeURIComponent(model)}/anomalies/${id}/_feedback`, { method: "DELETE" });
}

/** Whether it was an anomaly, with a note. */
export function judge(
  { model, id }: Pick<AnomalyView, "model" | "id">,
  anomaly: boolean,
  note?: string,
): Promise<void> {
  const path = `/models/${encodeURIComponent(model)}/anomalies/${id}/_feedback`;
  return request(path, { method: "POST", body: { anomaly, ...(note && { note }) } });
}
