// Request metrics: counts and times by route, rendered as Prometheus text; cheaper per request than the metrics library.

/** An answered request; `route` is the pattern, as in `/models/:names`. */
export interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

const COUNTER = "torus_http_requests_total";
const HISTOGRAM = "torus_http_request_duration_seconds";
/** Upper bounds of the times, seconds. */
export const timeBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface RouteMetrics {
  /** Requests by method, then by status. */
  readonly requests: Map<string, Map<number, number>>;
  /** Requests per bucket of time; the last one is above all bounds. */
  readonly times: Float64Array;
  sumMs: number;
  count: number;
}

/** Counts without the library, which sorts, joins and hashes all labels for each request. */
export class RequestMetrics {
  readonly #routes = new Map<string, RouteMetrics>();

  /** Counts one request. */
  add({ method, route, status, ms }: Answered): void {
    let metrics = this.#routes.get(route);
    if (!metrics) {
      metrics = { requests: new Map(), times: new Float64Array(timeBounds.length + 1), sumMs: 0, count: 0 };
      this.#routes.set(route, metrics);
    }
    let byStatus = metrics.requests.get(method);
    if (!byStatus) {
      byStatus = new Map();
      metrics.requests.set(method, byStatus);
    }
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    let slot = 0;
    while (slot < timeBounds.length && ms > timeBounds[slot]! * 1000) slot++;
    metrics.times[slot]! += 1;
    metrics.sumMs += ms;
    metrics.count += 1;
  }

  /** Both metrics as text, without a final line feed. */
  render(): string {
    const routes = [...this.#routes];
    return [
      `# HELP ${COUNTER} Requests answered`,
      `# TYPE ${COUNTER} counter`,
      ...routes.flatMap(renderRequests),
      "",
      `# HELP ${HISTOGRAM} Time to the answer`,
      `# TYPE ${HISTOGRAM} histogram`,
      ...routes.flatMap(renderTimes),
    ].join("\n");
  }
}

function renderRequests([route, { requests }]: [string, RouteMetrics]): string[] {
  return [...requests].flatMap(([method, byStatus]) =>
    [...byStatus].map(([status, n]) => {
      return `${COUNTER}{method="${method}",route="${escapeLabel(route)}",status="${status}"} ${n}`;
    }),
  );
}

function renderTimes([route, { times, sumMs, count }]: [string, RouteMetrics]): string[] {
  const label = `route="${escapeLabel(route)}"`;
  let below = 0;
  const lines = [...timeBounds, "+Inf"].map((bound, slot) => {
    below += times[slot]!;
    return `${HISTOGRAM}_bucket{le="${bound}",${label}} ${below}`;
  });
  return [...lines, `${HISTOGRAM}_sum{${label}} ${sumMs / 1000}`, `${HISTOGRAM}_count{${label}} ${count}`];
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}
