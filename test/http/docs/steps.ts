// Calls that make every operation of the API succeed, in an order in which they work: the examples with what they need.
import { encodeMessage, pack } from "../../support/remote-write.ts";

const DAY_S = 86_400;
export const STEP_S = 1800;
const UNKNOWN = "3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10";

const message = pack(encodeMessage(1, [{ labels: { __name__: "up" }, samples: [[1_769_860_800_000, 1]] }]));

/** What an operation needs beside its example. */
export interface Needs {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Of the answer, where it is not a good one. */
  readonly status?: number;
  /** In place of the request of the example, where that is no text. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export const steps: readonly (readonly [operation: string, needs?: Needs])[] = [
  ["GET /"],
  ["GET /session"],
  ["PUT /external_url"],
  ["GET /kinds"],
  ["GET /_nodes/:node/http", { params: { node: "_all" } }],
  ["GET /_cluster"],
  ["GET /livez"],
  ["GET /readyz"],
  ["GET /metrics"],
  ["GET /metrics/models"],
  ["GET /openapi.json"],
  ["GET /docs"],
  ["GET /ping"],
  ["GET /query", { query: "q=CREATE%20DATABASE%20metrics" }],
  ["POST /query"],
  ["GET /buckets"],
  ["GET /buckets/:names"],
  ["POST /buckets/:names/_write"],
  // The bucket has no such measurement: the point that the next call writes is seen once its interval is over.
  ["POST /buckets/:names/_detect", { status: 404 }],
  ["POST /write", { query: "db=metrics" }],
  ["POST /api/v2/write", { query: "bucket=metrics" }],
  [
    "POST /api/v1/write",
    { query: "bucket=metrics", bytes: message, headers: { "content-encoding": "snappy" } },
  ],
  ["POST /v1/metrics", { query: "bucket=metrics" }],
  ["POST /mcp", { headers: { accept: "application/json, text/event-stream" } }],
  ["GET /prometheus/api/v1/query", { query: "query=cpu_load" }],
  ["POST /prometheus/api/v1/query"],
  ["GET /prometheus/api/v1/query_range", { query: "query=cpu_load&start=0&end=60&step=60" }],
  ["POST /prometheus/api/v1/query_range"],
  ["GET /prometheus/api/v1/series", { query: "match[]=cpu_load" }],
  ["POST /prometheus/api/v1/series"],
  ["GET /prometheus/api/v1/labels"],
  ["POST /prometheus/api/v1/labels"],
  ["GET /prometheus/api/v1/label/:name/values", { params: { name: "bucket" } }],
  ["GET /prometheus/api/v1/metadata"],
  ["GET /prometheus/api/v1/status/buildinfo"],
  ["GET /prometheus/api/v1/format_query", { query: "query=cpu_load" }],
  ["POST /prometheus/api/v1/format_query"],
  ["GET /prometheus/api/v1/parse_query", { query: "query=cpu_load" }],
  ["POST /prometheus/api/v1/parse_query"],
  ["GET /prometheus/api/v1/query_exemplars", { query: "query=cpu_load" }],
  ["POST /prometheus/api/v1/query_exemplars"],
  ["GET /prometheus/api/v1/rules"],
  ["GET /prometheus/api/v1/alerts"],
  ["POST /buckets/:names/_read"],
  ["POST /buckets/:names/_test"],
  ["POST /buckets/_test"],
  ["GET /buckets/:names/_explore"],
  ["GET /_backup"],
  ["GET /models"],
  ["GET /models/:names"],
  ["PATCH /models/:names"],
  ["POST /_apply"],
  ["GET /models/:names/training"],
  ["GET /models/:names/versions"],
  ["GET /models/:names/versions/:version"],
  ["POST /models/:names/_restore"],
  ["GET /models/:names/_series", { query: "from=now-7d" }],
  // The model of the examples is one series.
  ["GET /models/:names/series", { status: 400 }],
  ["GET /models/:names/series/:series", { params: { series: "host:a" }, status: 400 }],
  ["POST /models/:names/_forecast"],
  ["POST /models/:names/_eval"],
  ["POST /_detect"],
  ["POST /anomalydetector/:version/timeseries/entire/detect", { params: { version: "v1.1" } }],
  ["POST /anomalydetector/:version/timeseries/last/detect", { params: { version: "v1.1" } }],
  ["POST /anomalydetector/:version/timeseries/changepoint/detect", { params: { version: "v1.0" } }],
  ["POST /_predict"],
  ["GET /models/:names/_export"],
  // It shows the shape of a bundle: its weights are not there.
  ["POST /models/_import", { status: 400 }],
  ["POST /models/:names/_start"],
  ["PUT /models/:names/hooks"],
  ["POST /models/:names/hooks"],
  ["GET /models/:names/hooks"],
  ["GET /models/:names/hooks/:hook"],
  ["POST /models/:names/hooks/_preview"],
  ["PUT /models/:names/hooks/:hook"],
  ["POST /models/:names/hooks/:hook"],
  ["POST /models/:names/hooks/:hook/_test"],
  ["GET /models/:names/hooks/:hook/deliveries"],
  ["DELETE /models/:names/hooks/:hook"],
  ["PUT /hooks"],
  ["POST /hooks"],
  ["GET /hooks"],
  ["POST /hooks/_preview"],
  ["GET /hooks/_states"],
  ["GET /hooks/:hook"],
  ["PUT /hooks/:hook"],
  ["POST /hooks/:hook"],
  ["POST /hooks/:hook/_test"],
  ["GET /hooks/:hook/deliveries"],
  ["DELETE /hooks/:hook"],
  ["GET /models/:names/anomalies"],
  ["GET /events", { query: "follow=false" }],
  ["POST /models/:names/labels"],
  ["GET /models/:names/labels"],
  ["DELETE /models/:names/labels/:id", { params: { id: UNKNOWN }, status: 404 }],
  ["POST /changes"],
  ["POST /changes/_find"],
  // It has no secret.
  ["POST /webhooks/github", { status: 400 }],
  ["GET /changes"],
  ["GET /changes/:id", { params: { id: "web-1.9.2" } }],
  ["DELETE /changes/:id", { params: { id: "web-1.9.2" } }],
  ["GET /anomalies"],
  ["GET /anomalies/_lanes", { query: "from=now-7d" }],
  ["GET /anomalies/:id", { params: { id: UNKNOWN }, status: 404 }],
  ["DELETE /models/:names/anomalies/:id/_feedback", { params: { id: UNKNOWN }, status: 404 }],
  ["GET /anomalies/:id/related", { params: { id: UNKNOWN }, status: 404 }],
  ["GET /related", { query: "from=now-1h" }],
  ["GET /now"],
  ["GET /capacity"],
  ["GET /budgets"],
  // It has none.
  ["GET /models/:names/budgets", { status: 400 }],
  ["GET /report"],
  // There is no mail server.
  ["POST /report/_send", { status: 400 }],
  ["GET /deliveries"],
  ["POST /models/:names/anomalies/:id/_feedback", { params: { id: UNKNOWN }, status: 404 }],
  ["POST /models/:names/_stop"],
  ["POST /calendars"],
  ["PUT /calendars"],
  ["GET /calendars"],
  ["GET /calendars/:names", { params: { names: "sales" } }],
  ["PATCH /calendars/:names", { params: { names: "sales" } }],
  // It has no address.
  ["POST /calendars/:names/_refresh", { params: { names: "sales" }, status: 400 }],
  ["DELETE /calendars/:names", { params: { names: "sales" } }],
  ["POST /templates", { query: "name=host_load" }],
  ["GET /templates"],
  ["GET /templates/:names", { params: { names: "host_load" } }],
  // No model was made from it.
  ["POST /templates/:names/_migrate", { params: { names: "host_load" }, status: 404 }],
  ["DELETE /templates/:names", { params: { names: "host_load" } }],
  ["POST /scheduled_jobs"],
  ["GET /scheduled_jobs"],
  ["GET /scheduled_jobs/:names", { params: { names: "train%20load" } }],
  ["PATCH /scheduled_jobs/:names", { params: { names: "train%20load" } }],
  ["POST /scheduled_jobs/:names/_run", { params: { names: "train%20load" } }],
  ["POST /scheduled_jobs/_preview"],
  ["DELETE /scheduled_jobs/:names", { params: { names: "train%20load" } }],
  ["DELETE /scheduled_jobs"],
  ["GET /bin"],
  ["POST /bin/:names/_restore", { params: { names: UNKNOWN }, status: 404 }],
  ["DELETE /bin/:names", { params: { names: UNKNOWN }, status: 404 }],
  ["GET /jobs"],
  ["GET /jobs/:names"],
];
/** With jobs to wait for or to stop, or after which nothing else works. */
export const apart = [
  "POST /buckets",
  "POST /models",
  "POST /models/:names/_train",
  "POST /models/:names/_backtest",
  "POST /jobs/:names/_cancel",
  "POST /jobs/:names/_retry",
  "PATCH /buckets/:names",
  "POST /buckets/:names/_clear",
  "DELETE /models/:names",
  "DELETE /buckets/:names",
  "GET /tokens",
  "POST /tokens",
  "DELETE /tokens/:names",
];

/** Settings of a server that trains quickly. */
export const quickSettings = "training: {epochs: 2}\ninference: {samples: 8, iterations: 1}\n";

/** Parameters of a path: it is about the bucket, the model or the job of the examples unless `params` says otherwise. */
export function paramsOf(
  pattern: string,
  { params, jobId }: Pick<Needs, "params"> & { readonly jobId: string },
): Readonly<Record<string, string>> {
  const names = pattern.startsWith("/buckets") ? "metrics" : pattern.startsWith("/jobs") ? jobId : "load";
  return { names, version: "00", hook: "marks", ...params };
}

/** A daily rhythm with a little noise, up to now. */
export function makePoints(days = 62) {
  const end = Math.floor(Date.now() / 1000 / STEP_S) * STEP_S;
  return Array.from({ length: (days * DAY_S) / STEP_S }, (_, i) => {
    const timestamp = end - i * STEP_S;
    const load = 0.5 + 0.3 * Math.sin((2 * Math.PI * timestamp) / DAY_S) + 0.05 * Math.sin(i * 12.9898);
    return { timestamp, load, tags: { host: "a" } };
  });
}
