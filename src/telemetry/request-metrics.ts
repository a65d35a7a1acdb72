// Requests counted as they are answered, by addition alone, and written as Prometheus's text when somebody asks.

/** A request that was answered. `route` is the pattern, as in `/models/:names`, never the path. */
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

interface RouteTally {
  /** Requests by method, then by status. */
  readonly requests: Map<string, Map<number, number>>;
  /** How many took at most as long as each bound, and longer than the one before; the last one: longer than all. */
  readonly times: Float64Array;
  sumMs: number;
  count: number;
}

// In place of the metrics library's counters, which sort, join and hash all labels for each request.
export class RequestTally {
  readonly #routes = new Map<string, RouteTally>();

  /** Counts one. */
  add({ method, route, status, ms }: Answered): void {
    let tally = this.#routes.get(route);
    if (!tally) {
      tally = { requests: new Map(), times: new Float64Array(timeBounds.length + 1), sumMs: 0, count: 0 };
      this.#routes.set(route, tally);
    }
    let byStatus = tally.requests.get(method);
    if (!byStatus) {
      byStatus = new Map();
      tally.requests.set(method, byStatus);
    }
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    let slot = 0;
    while (slot < timeBounds.length && ms > timeBounds[slot]! * 1000) slot++;
    tally.times[slot]! += 1;
    tally.sumMs += ms;
    tally.count += 1;
  }

  /** Both metrics as text, without a line feed at the end. */
  render(): string {
    const tallies = [...this.#routes];
    return [
      `# HELP ${COUNTER} Requests answered`,
      `# TYPE ${COUNTER} counter`,
      ...tallies.flatMap(renderRequests),
      "",
      `# HELP ${HISTOGRAM} Time to the answer`,
      `# TYPE ${HISTOGRAM} histogram`,
      ...tallies.flatMap(renderTimes),
    ].join("\n");
  }
}

function renderRequests([route, { requests }]: [string, RouteTally]): string[] {
  return [...requests].flatMap(([method, byStatus]) =>
    [...byStatus].map(([status, n]) => {
      return `${COUNTER}{method="${method}",route="${escapeLabel(route)}",status="${status}"} ${n}`;
    }),
  );
}

function renderTimes([route, { times, sumMs, count }]: [string, RouteTally]): string[] {
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
