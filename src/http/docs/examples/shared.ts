// Values shared by the examples of several nouns, and the type of an example.
import pack from "../../../../package.json" with { type: "json" };

export interface ApiExample {
  /** `operationId`: generated clients call their function so. */
  readonly id: string;
  /** Body; JSON unless `accepts` says otherwise. */
  readonly request?: unknown;
  /** Content type of the request, where it is not JSON. */
  readonly accepts?: string;
  /** Body of a good answer. */
  readonly response?: unknown;
  /** Content type of the answer, where it is not JSON. */
  readonly type?: string;
}

export const { version } = pack;
export const bucket = { name: "metrics", type: "local" };
export const feature = { name: "avg_load", metric: "avg", field: "load" };
export const settings = {
  name: "load",
  type: "donut",
  default_bucket: "metrics",
  bucket_interval: "5m",
  features: [feature],
};
export const jobId = "3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10";
export const job = {
  id: jobId,
  type: "training",
  state: "done",
  result: null,
  model: "load",
  duration: 12.6,
  start_date: "2026-01-31T12:00:00.000Z",
  start_timestamp: 1769860800,
  end_date: "2026-01-31T12:00:12.600Z",
  end_timestamp: 1769860812.6,
};
