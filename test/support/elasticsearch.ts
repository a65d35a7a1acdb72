// A stand-in for Elasticsearch: the documented wire format of the calls in use, over documents in memory.

// biome-ignore lint/suspicious/noExplicitAny: documents and requests of any shape
type Json = Record<string, any>;

export interface ElasticStandIn {
  readonly addr: string;
  /** All indices that were created, with what they were created with. */
  readonly indices: ReadonlyMap<string, Json>;
  /** Requests so far: method, path and the Authorization they came with. */
  readonly requests: { method: string; path: string; authorization: string | null; body: string }[];
  /** Merged into the answers of searches, to make them partial. */
  flaw: Json;
  /** Documents of all indices that match the pattern. */
  documents(pattern: string): Json[];
  stop(): void;
}

export interface ElasticOptions {
  /** Refuses a request; answers the body of a 403. */
  readonly guard?: (request: Request, body: string) => string | undefined;
  /** The number of hits as Elasticsearch 6 told it. */
  readonly totalAsNumber?: boolean;
}

const MAX_BUCKETS = 10_000;
const MAX_RESULT_WINDOW = 10_000;

/** Starts it on a free port, empty. */
export function startElastic({ guard, totalAsNumber = false }: ElasticOptions = {}): ElasticStandIn {
  const stored = new Map<
    string,
    { created: Json; documents: Map<string, Json>; types: Map<string, string> }
  >();
  const requests: ElasticStandIn["requests"] = [];
  const standIn = {
    indices: { get: (name: string) => stored.get(name)?.created } as never,
    requests,
    flaw: {} as Json,
  };

  const matching = (pattern: string) => {
    const expression = new RegExp(`^(${pattern.split(",").map(toExpression).join("|")})$`);
    return [...stored].filter(([name]) => expression.test(name)).map(([, index]) => index);
  };
  const documents = (pattern: string) => matching(pattern).flatMap((index) => [...index.documents.values()]);

  function bulk(body: string): Response {
    const lines = body.split("\n");
    if (lines.pop() !== "") return fail(400, "illegal_argument_exception", "must end with a newline");
    const items: Json[] = [];
    for (let i = 0; i < lines.length; i += 2) {
      const { _index, _id } = JSON.parse(lines[i]!).update;
      const { doc, doc_as_upsert } = JSON.parse(lines[i + 1]!);
      const index = stored.get(_index) ?? { created: {}, documents: new Map(), types: new Map() };
      stored.set(_index, index);
      const refusal = findConflict(index.types, doc);
      if (refusal) {
        items.push({ update: { _index, _id, status: 400, error: refusal } });
        continue;
      }
      if (!doc_as_upsert && !index.documents.has(_id)) throw new Error("missing document");
      index.documents.set(_id, { ...index.documents.get(_id), ...doc });
      items.push({ update: { _index, _id, status: 200 } });
    }
    return Response.json({ took: 1, errors: items.some(({ update }) => update.error), items });
  }

  function search(target: string, body: Json): Response {
    const found = matching(target);
    const all = found.flatMap((index) => [...index.documents.values()]);
    if ((body.size ?? 10) > MAX_RESULT_WINDOW)
      return fail(400, "illegal_argument_exception", "Result window is too large");
    const hits = all.filter((document) => matches(body.query ?? { match_all: {} }, document));
    const [sort] = body.sort ?? [];
    const by = sort && Object.keys(sort)[0]!;
    if (by) hits.sort((a, b) => a[by] - b[by]);
    const budget = { left: MAX_BUCKETS };
    try {
      const aggregations = body.aggs && found.length > 0 ? aggregate(body.aggs, hits, budget) : undefined;
      const total = totalAsNumber ? hits.length : { value: hits.length, relation: "eq" };
      return Response.json({
        took: 1,
        timed_out: false,
        _shards: { total: found.length, successful: found.length, skipped: 0, failed: 0 },
        hits: {
          total,
          max_score: null,
          hits: hits.slice(0, body.size ?? 10).map((document) => ({
            _index: "i",
            sort: by && [document[by]],
            fields: Object.fromEntries(
              (body.docvalue_fields ?? []).map(({ field }: Json) => [field, [read(document, field)].flat()]),
            ),
          })),
        },
        ...(aggregations && { aggregations }),
        ...standIn.flaw,
      });
    } catch (error) {
      return fail(400, "search_phase_execution_exception", (error as Error).message);
    }
  }

  function answer(method: string, url: URL, body: string): Response {
    const [, target = "", verb] = url.pathname.split("/").map(decodeURIComponent);
    if (url.pathname === "/") return Response.json({ version: { number: "8.19.0" } });
    if (target === "_bulk") return bulk(body);
    if (verb === "_search") return search(target, JSON.parse(body));
    if (verb === "_field_caps") {
      const asked = new RegExp(
        `^(${url.searchParams.get("fields")!.split(",").map(toExpression).join("|")})$`,
        "s",
      );
      return Response.json({ indices: [], fields: describe(documents(target), asked) });
    }
    if (method === "HEAD") return new Response(null, { status: stored.has(target) ? 200 : 404 });
    if (method === "PUT") {
      if (stored.has(target))
        return fail(400, "resource_already_exists_exception", `index [${target}] already exists`);
      stored.set(target, { created: JSON.parse(body), documents: new Map(), types: new Map() });
      return Response.json({ acknowledged: true });
    }
    return fail(400, "illegal_argument_exception", `no handler for ${method} ${url.pathname}`);
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const url = new URL(request.url);
      const authorization = request.headers.get("authorization");
      requests.push({ method: request.method, path: url.pathname, authorization, body });
      const refusal = guard?.(request, body);
      return refusal
        ? Response.json({ message: refusal }, { status: 403 })
        : answer(request.method, url, body);
    },
  });
  return Object.assign(standIn, {
    addr: `127.0.0.1:${server.port}`,
    documents,
    stop: () => void server.stop(true),
  });
}

function toExpression(pattern: string): string {
  return pattern
    .split("*")
    .map((part) => RegExp.escape(part))
    .join(".*");
}

function fail(status: number, type: string, reason: string): Response {
  return Response.json({ error: { root_cause: [{ type, reason }], type, reason }, status }, { status });
}

/** A path with dots leads into objects, and a name with dots is the same as such a path. */
function read(document: Json, field: string): unknown {
  if (Object.hasOwn(document, field)) return document[field];
  return field.split(".").reduce<unknown>((value, part) => (value as Json | undefined)?.[part], {
    ...document,
    constructor: undefined,
  });
}

function typeOf(field: string, value: unknown): string {
  if (field === "timestamp") return "date";
  return typeof value === "number" ? "double" : typeof value === "boolean" ? "boolean" : "keyword";
}

/** The first value of a field decides what the others must be. */
function findConflict(known: Map<string, string>, doc: Json): Json | undefined {
  for (const [field, value] of Object.entries(doc)) {
    if (known.get(field) === "double" && typeof value !== "number")
      return {
        type: "mapper_parsing_exception",
        reason: `failed to parse field [${field}] of type [double]`,
      };
    if (!known.has(field)) known.set(field, typeOf(field, value));
  }
  return undefined;
}

function describe(documents: readonly Json[], asked: RegExp): Json {
  const fields: Json = { _id: { _id: { type: "_id" } } };
  for (const document of documents) {
    for (const [field, value] of Object.entries(document)) {
      const type = typeOf(field, value);
      if (asked.test(field) && !Object.hasOwn(fields, field))
        Object.defineProperty(fields, field, { value: {}, enumerable: true, writable: true });
      if (asked.test(field)) fields[field][type] = { type, searchable: true, aggregatable: true };
    }
  }
  return fields;
}

function matches(query: Json, document: Json): boolean {
  const [kind, body] = Object.entries(query)[0] as [string, Json];
  const [field, rule] = Object.entries(body)[0] ?? ["", undefined];
  switch (kind) {
    case "match_all":
      return true;
    case "match_none":
      return false;
    case "bool":
      return [body.filter ?? [], body.must ?? []].flat().every((clause: Json) => matches(clause, document));
    case "exists":
      return read(document, body.field) !== undefined;
    case "term":
      return String(read(document, field)) === String(rule?.value ?? rule);
    case "range": {
      const value = read(document, field) as number;
      return value >= (rule.gte ?? -Infinity) && value < (rule.lt ?? Infinity);
    }
    default:
      throw new Error(`unknown query [${kind}]`);
  }
}

function aggregate(aggs: Json, documents: readonly Json[], budget: { left: number }): Json {
  const found: Json = {};
  for (const [name, { aggs: inner, ...agg }] of Object.entries(aggs) as [string, Json][]) {
    const [kind, body] = Object.entries(agg)[0] as [string, Json];
    const numbers = () => readNumbers(documents, body.field);
    const bucket = (key: Json, some: readonly Json[]) => {
      if (--budget.left < 0)
        throw new Error("Trying to create too many buckets. Must be less than or equal to: [10000]");
      return { ...key, doc_count: some.length, ...(inner && aggregate(inner, some, budget)) };
    };
    if (kind === "filter")
      found[name] = bucket(
        {},
        documents.filter((one) => matches(body, one)),
      );
    else if (kind === "date_histogram") found[name] = { buckets: histogram(body, documents, bucket) };
    else if (kind === "terms") {
      const groups = Map.groupBy(
        documents.filter((one) => read(one, body.field) !== undefined),
        (one) => String(read(one, body.field)),
      );
      const keys = [...groups.keys()].sort().slice(0, body.size);
      found[name] = { buckets: keys.map((key) => bucket({ key }, groups.get(key)!)) };
    } else found[name] = statistic(kind, numbers());
  }
  return found;
}

function readNumbers(documents: readonly Json[], field: string): number[] {
  const values = documents.map((one) => read(one, field)).filter((value) => value !== undefined);
  if (values.some((value) => typeof value !== "number"))
    throw new Error(`Field [${field}] of type [keyword] is not supported for this aggregation`);
  return values as number[];
}

function histogram(
  { field, fixed_interval, min_doc_count = 0 }: Json,
  documents: readonly Json[],
  bucket: (key: Json, some: readonly Json[]) => Json,
): Json[] {
  const ms = Number(/^(\d+)ms$/.exec(fixed_interval)![1]);
  const groups = Map.groupBy(documents, (one) => Math.floor((one[field] as number) / ms) * ms);
  const keys = [...groups.keys()].sort((a, b) => a - b);
  if (min_doc_count === 0) throw new Error("the stand-in leaves empty intervals out");
  return keys.map((key) => bucket({ key, key_as_string: new Date(key).toISOString() }, groups.get(key)!));
}

function statistic(kind: string, values: readonly number[]): Json {
  const count = values.length;
  const sum = values.reduce((a, b) => a + b, 0);
  const orNull = (value: number) => (count > 0 ? value : null);
  const avg = sum / count;
  const all: Json = {
    count,
    sum,
    avg: orNull(avg),
    min: orNull(Math.min(...values)),
    max: orNull(Math.max(...values)),
    sum_of_squares: orNull(values.reduce((a, b) => a + b * b, 0)),
    variance: orNull(values.reduce((a, b) => a + (b - avg) ** 2, 0) / count),
  };
  if (kind === "extended_stats") return all;
  if (kind === "value_count") return { value: count };
  if (!(kind in all)) throw new Error(`Unknown aggregation type [${kind}]`);
  return { value: all[kind] };
}
