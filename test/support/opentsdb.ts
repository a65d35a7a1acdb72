// Stand-in for OpenTSDB: the documented wire format of version, put and query, over points in memory.

interface DataPoint {
  readonly metric: string;
  readonly timestamp: number;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
}

interface SubQuery {
  readonly metric: string;
  readonly aggregator: "none" | "zimsum" | "mimmin" | "mimmax";
  readonly downsample?: string;
  readonly filters: readonly { readonly type: string; readonly tagk: string; readonly filter: string }[];
}

export interface OpentsdbOptions {
  /** As `tsd.http.query.allow_delete`. */
  readonly allowsDelete?: boolean;
  /** Whether it keeps a table of series. */
  readonly keepsMeta?: boolean;
}

export interface OpentsdbStandIn {
  readonly addr: string;
  readonly points: readonly DataPoint[];
  /** Bodies of queries so far. */
  readonly queries: { readonly start: number; readonly end: number }[];
  stop(): void;
}

class Refusal extends Error {}

/** What each call may be asked with; anything else is refused. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  "GET /api/version": [],
  "POST /api/put": ["details", "sync"],
  "POST /api/query": [],
  "DELETE /api/query": ["start", "end", "m"],
  "GET /api/suggest": ["type", "max", "q"],
  "GET /api/search/lookup": ["m", "limit"],
};

/** Times that fit into 32 bits are seconds. */
const toMs = (time: number) => (time < 2 ** 32 ? time * 1000 : time);

/** Starts it on a free port, empty. */
export function startOpentsdb({
  allowsDelete = true,
  keepsMeta = true,
}: OpentsdbOptions = {}): OpentsdbStandIn {
  const series = new Map<string, { tags: DataPoint["tags"]; metric: string; values: Map<number, number> }>();
  const points: DataPoint[] = [];
  const queries: OpentsdbStandIn["queries"] = [];

  function put(given: readonly DataPoint[]): Response {
    const bad = given.filter(
      ({ metric, tags, value }) =>
        Object.keys(tags).length === 0 ||
        typeof value !== "number" ||
        ![metric, ...Object.entries(tags).flat()].every((name) => /^[\p{L}0-9_./-]+$/u.test(name)),
    );
    for (const point of given) {
      if (bad.includes(point)) continue;
      points.push(point);
      const key = JSON.stringify([point.metric, Object.entries(point.tags).sort()]);
      const one = series.get(key) ?? { tags: point.tags, metric: point.metric, values: new Map() };
      series.set(key, one);
      one.values.set(toMs(point.timestamp), point.value);
    }
    const failed = bad.length;
    return Response.json(
      { errors: [], failed, success: given.length - failed },
      { status: failed > 0 ? 400 : 200 },
    );
  }

  function select({ metric, filters }: SubQuery) {
    const need = (known: boolean, what: string, name: string) => {
      if (!known) throw new Refusal(`No such name for '${what}': '${name}'`);
    };
    const all = [...series.values()];
    need(
      all.some((one) => one.metric === metric),
      "metrics",
      metric,
    );
    for (const { type, tagk, filter } of filters) {
      if (type !== "literal_or") throw new Refusal(`unknown filter ${type}`);
      need(
        all.some(({ tags }) => tagk in tags),
        "tagk",
        tagk,
      );
      need(
        all.some(({ tags }) => Object.values(tags).includes(filter)),
        "tagv",
        filter,
      );
    }
    return all.filter(
      (one) =>
        one.metric === metric &&
        filters.every(({ tagk, filter }) => filter.split("|").includes(one.tags[tagk] ?? "")),
    );
  }

  function answer(query: SubQuery, index: number, { start, end }: { start: number; end: number }): object[] {
    const found = select(query).map(({ tags, metric, values }) => ({
      tags,
      metric,
      points: [...values].filter(([at]) => at >= start && at <= end).sort(([a], [b]) => a - b),
    }));
    const some = found.filter(({ points }) => points.length > 0);
    const describe = { metric: query.metric, aggregateTags: [], query: { ...query, index } };
    // Each series on its own.
    if (query.aggregator === "none") {
      const reduce = (points: [number, number][]) =>
        query.downsample ? downsample(query, [points], { start, end }) : Object.fromEntries(points);
      return some.map(({ tags, points }) => ({ ...describe, tags, dps: reduce(points) }));
    }
    if (some.length === 0) return [];
    const dps = downsample(
      query,
      some.map(({ points }) => points),
      { start, end },
    );
    return [{ ...describe, tags: {}, dps }];
  }

  function suggest(params: URLSearchParams): Response {
    if (params.get("type") !== "metrics") throw new Refusal("Invalid 'type' parameter");
    const names = [...new Set([...series.values()].map(({ metric }) => metric))].sort();
    return Response.json(names.slice(0, Number(params.get("max") ?? 25)));
  }

  function lookUp(params: URLSearchParams): Response {
    const all = select({ metric: params.get("m")!, aggregator: "none", filters: [] });
    const found = keepsMeta ? all.filter(({ values }) => values.size > 0) : [];
    const results = found
      .slice(0, Number(params.get("limit") ?? 25))
      .map(({ metric, tags }, i) => ({ metric, tags, tsuid: `00${i}` }));
    return Response.json({ type: "LOOKUP", metric: params.get("m"), results, totalResults: results.length });
  }

  /** A metric with one pair of tags, counted over all of the range. */
  function remove(params: URLSearchParams): Response {
    if (!allowsDelete) throw new Refusal("Bad request");
    const [, metric, tagk, filter] =
      /^zimsum:0all-count:([^{}]+)\{([^{}=]+)=([^{}=*|]+)\}$/.exec(params.get("m") ?? "") ?? [];
    if (!metric) throw new Refusal(`cannot parse ${params.get("m")}`);
    const [start, end] = [params.get("start"), params.get("end")].map((time) => toMs(Number(time))) as [
      number,
      number,
    ];
    for (const { values } of select({
      metric,
      aggregator: "none",
      filters: [{ type: "literal_or", tagk: tagk!, filter: filter! }],
    }))
      for (const at of values.keys()) if (at >= start && at <= end) values.delete(at);
    return Response.json([]);
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const call = `${request.method} ${pathname}`;
      const known = parameters[call];
      if (!known || [...searchParams.keys()].some((name) => !known.includes(name)))
        return Response.json(
          { error: { code: 404, message: `Endpoint not found: ${request.url}` } },
          { status: 404 },
        );
      if (pathname === "/api/version") return Response.json({ version: "2.4.1", short_revision: "" });
      const bytes = new Uint8Array(await request.arrayBuffer());
      const isPacked = request.headers.get("content-encoding") === "gzip";
      const read = () => JSON.parse(Buffer.from(isPacked ? Bun.gunzipSync(bytes) : bytes).toString());
      try {
        if (pathname === "/api/put") return put(read());
        if (pathname === "/api/suggest") return suggest(searchParams);
        if (pathname === "/api/search/lookup") return lookUp(searchParams);
        if (request.method === "DELETE") return remove(searchParams);
        const given = read();
        queries.push(given);
        const body = { ...given, start: toMs(given.start), end: toMs(given.end) };
        return Response.json(
          body.queries.flatMap((query: SubQuery, i: number) => answer(query, i, body)).reverse(),
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return Response.json({ error: { code: 400, message: error.message, details: "" } }, { status: 400 });
      }
    },
  });
  return { addr: `127.0.0.1:${server.port}`, points, queries, stop: () => void server.stop(true) };
}

const functions: Readonly<Record<string, (values: readonly number[]) => number>> = {
  count: (values) => values.length,
  sum: (values) => values.reduce((a, b) => a + b, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  zimsum: (values) => values.reduce((a, b) => a + b, 0),
  mimmin: (values) => Math.min(...values),
  mimmax: (values) => Math.max(...values),
};

/** Each series by its intervals, which are filled with NaN, then the series together. */
function downsample(
  { downsample: text, aggregator }: SubQuery,
  series: readonly (readonly [number, number])[][],
  { start, end }: { start: number; end: number },
): object {
  const [, count, unit, by, fill] = /^(\d+)(ms|s)-(\w+)-(nan)$/.exec(text ?? "") ?? [];
  if (!fill || !functions[by!]) throw new Refusal(`bad downsampler ${text}`);
  const ms = Number(count) * (unit === "s" ? 1000 : 1);
  const each = series.map((points) => {
    const groups = Map.groupBy(points, ([at]) => at - (at % ms));
    return new Map([...groups].map(([at, some]) => [at, functions[by!]!(some.map(([, value]) => value))]));
  });
  const combine = aggregator === "none" ? ([value]: readonly number[]) => value! : functions[aggregator]!;
  const dps: Record<string, number | string> = {};
  for (let at = start - (start % ms); at <= end; at += ms) {
    const values = each.flatMap((one) => one.get(at) ?? []);
    dps[at] = values.length > 0 ? combine(values) : "NaN";
  }
  return dps;
}
