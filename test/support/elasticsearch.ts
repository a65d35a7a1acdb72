// Stand-in for Elasticsearch: the documented wire format of the calls in use, over documents in memory.

// biome-ignore lint/suspicious/noExplicitAny: documents and requests of any shape
type Json = Record<string, any>;

export interface ElasticStandIn {
  readonly addr: string;
  /** All indices that were created, with what they were created with. */
  readonly indices: ReadonlyMap<string, Json>;
  /** Requests so far: method, path and the Authorization they came with. */
  readonly requests: { method: string; path: string; authorization: string | null; body: string }[];
  /** Documents that are changed by others while the next deletion runs. */
  busy: number;
  /** Merged into the answers of searches and deletions, to make them partial. */
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
  const stored = new Map<string, Index>();
  const requests: ElasticStandIn["requests"] = [];
  const standIn = {
    indices: { get: (name: string) => stored.get(name)?.created } as never,
    requests,
    flaw: {} as Json,
    busy: 0,
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
      const index = stored.get(_index) ?? createIndex({});
      stored.set(_index, index);
      const refusal = findConflict(index, doc);
      if (refusal) {
        items.push({ update: { _index, _id, status: 400, error: refusal } });
        continue;
      }
      if (!doc_as_upsert && !index.documents.has(_id)) throw new Error("missing document");
      index.documents.set(_id, { ...index.documents.get(_id), ...asIndexed(index, doc) });
      index.unseen.add(_id);
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

  function refresh(target: string): Response {
    for (const { unseen } of matching(target)) unseen.clear();
    return Response.json({ _shards: { total: 1, successful: 1, failed: 0 } });
  }

  /** Finds only what a search would have found since the last refresh. */
  function deleteByQuery(target: string, query: Json, params: URLSearchParams): Response {
    if (params.get("conflicts") !== "proceed") throw new Error("the stand-in proceeds only");
    const found = matching(target).flatMap((index) =>
      [...index.documents]
        .filter(([id, document]) => !index.unseen.has(id) && matches(query, document))
        .map(([id]) => [index, id] as const),
    );
    const some = found.slice(0, Number(params.get("max_docs") ?? Infinity));
    const conflicts = Math.min(standIn.busy, some.length);
    standIn.busy -= conflicts;
    for (const [index, id] of some.slice(conflicts)) index.documents.delete(id);
    if (params.get("refresh") === "true") refresh(target);
    return Response.json({
      took: 1,
      timed_out: false,
      total: some.length,
      deleted: some.length - conflicts,
      batches: 1,
      version_conflicts: conflicts,
      noops: 0,
      failures: [],
      ...standIn.flaw,
    });
  }

  function answer(method: string, url: URL, body: string): Response {
    const [, target = "", verb] = url.pathname.split("/").map(decodeURIComponent);
    const call = `${method} ${verb ?? (/^_|^$/.test(target) ? target : "index")}`;
    const known = parameters[call];
    if (!known) return fail(400, "illegal_argument_exception", `no handler for ${call}`);
    const wrong = [...url.searchParams.keys()].find((name) => !known.includes(name));
    if (wrong)
      return fail(
        400,
        "illegal_argument_exception",
        `request [${url.pathname}] contains unrecognized parameter: [${wrong}]`,
      );
    if (`${call} ${url.pathname}${url.search} HTTP/1.1`.length > 4096)
      return fail(400, "too_long_http_line_exception", "An HTTP line is larger than 4096 bytes.");
    if (verb === "_refresh") return refresh(target);
    if (verb === "_delete_by_query") return deleteByQuery(target, JSON.parse(body).query, url.searchParams);
    if (url.pathname === "/") return Response.json({ version: { number: "8.19.0" } });
    if (target === "_bulk") return bulk(body);
    if (verb === "_search") return search(target, JSON.parse(body));
    if (verb === "_field_caps") {
      const asked = new RegExp(
        `^(${url.searchParams.get("fields")!.split(",").map(toExpression).join("|")})$`,
        "s",
      );
      return Response.json({ indices: [], fields: describe(matching(target), asked) });
    }
    if (method === "HEAD") return new Response(null, { status: stored.has(target) ? 200 : 404 });
    if (method === "PUT") {
      if (stored.has(target))
        return fail(400, "resource_already_exists_exception", `index [${target}] already exists`);
      stored.set(target, createIndex(JSON.parse(body)));
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

const lenient = ["ignore_unavailable", "allow_no_indices"];

/** What each call may be asked with; anything else is refused. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  "GET ": [],
  "POST _bulk": ["routing"],
  "POST _search": [...lenient, "routing"],
  "GET _field_caps": [...lenient, "fields"],
  "POST _refresh": lenient,
  "POST _delete_by_query": [...lenient, "conflicts", "refresh", "max_docs", "routing"],
  "HEAD index": [],
  "PUT index": [],
};

interface Index {
  readonly created: Json;
  readonly documents: Map<string, Json>;
  /** Of its fields, by name. */
  readonly types: Map<string, string>;
  /** Written since the last refresh. */
  readonly unseen: Set<string>;
}

function createIndex(created: Json): Index {
  const given = Object.entries((created.mappings?.properties ?? {}) as Record<string, Json>);
  const types = new Map(given.map(([field, { type }]) => [field, type as string]));
  return { created, documents: new Map(), types, unseen: new Set() };
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

/** What a new field becomes: by the first template that matches it, else whole numbers stay so and others get 32 bits. */
function typeOf({ created }: Index, value: unknown): string {
  const [found, otherwise] =
    typeof value === "number"
      ? Number.isInteger(value)
        ? ["long", "long"]
        : ["double", "float"]
      : typeof value === "boolean"
        ? ["boolean", "boolean"]
        : ["string", "text"];
  const templates = (created.mappings?.dynamic_templates ?? []).flatMap((one: Json) => Object.values(one));
  return templates.find((one: Json) => one.match_mapping_type === found)?.mapping.type ?? otherwise;
}

/** The first value of a field decides what the others must be. */
function findConflict(index: Index, doc: Json): Json | undefined {
  const { types } = index;
  for (const [field, value] of Object.entries(doc)) {
    const type = types.get(field);
    const fits = { double: "number", float: "number", long: "number", boolean: "boolean" }[type ?? ""];
    if (fits && typeof value !== fits)
      return {
        type: "mapper_parsing_exception",
        reason: `failed to parse field [${field}] of type [${type}]`,
      };
    if (!type) types.set(field, typeOf(index, value));
  }
  return undefined;
}

/** Numbers as their fields hold them. */
function asIndexed({ types }: Index, doc: Json): Json {
  const hold = (field: string, value: unknown) => {
    const type = types.get(field);
    if (type === "float") return Math.fround(value as number);
    return type === "long" ? Math.trunc(value as number) : value;
  };
  return Object.fromEntries(Object.entries(doc).map(([field, value]) => [field, hold(field, value)]));
}

function describe(indices: readonly Index[], asked: RegExp): Json {
  const fields: Json = { _id: { _id: { type: "_id" } } };
  for (const { types } of indices) {
    for (const [field, type] of types) {
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
      if (body.should && !body.should.some((clause: Json) => matches(clause, document))) return false;
      return [body.filter ?? [], body.must ?? []].flat().every((clause: Json) => matches(clause, document));
    case "regexp":
      // The whole value, and case matters.
      return new RegExp(`^(?:${rule.value})$`, "s").test(String(read(document, field)));
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
    } else if (kind === "composite") {
      const pages = compose(body, documents);
      const buckets = pages.map(([key, some]) => bucket({ key }, some));
      found[name] = { buckets, ...(buckets.length > 0 && { after_key: pages.at(-1)![0] }) };
    } else found[name] = statistic(kind, numbers());
  }
  return found;
}

/** The buckets of a composite aggregation after `after`: null first, texts in the order of their bytes. */
function compose({ sources, size, after }: Json, documents: readonly Json[]): [key: Json, some: Json[]][] {
  const named = (sources as Json[]).flatMap((source) => Object.entries(source) as [string, Json][]);
  const pickValue = ({ terms, date_histogram: dates }: Json, document: Json): unknown => {
    if (terms) return read(document, terms.field) ?? (terms.missing_bucket ? null : undefined);
    const ms = Number(/^(\d+)ms$/.exec(dates.fixed_interval)![1]);
    return Math.floor((document[dates.field] as number) / ms) * ms;
  };
  const groups = Map.groupBy(documents, (one) =>
    JSON.stringify(named.map(([, source]) => pickValue(source, one) ?? null)),
  );
  const isLeftOut = (one: Json) => named.some(([, source]) => pickValue(source, one) === undefined);
  const all = [...groups].filter(([, [first]]) => !isLeftOut(first!));
  const tuples = all.map(([key, some]) => [JSON.parse(key) as unknown[], some] as const);
  tuples.sort(([a], [b]) => compareKeys(a, b));
  const last = after && named.map(([label]) => after[label]);
  return tuples
    .filter(([key]) => !last || compareKeys(key, last) > 0)
    .slice(0, size ?? 10)
    .map(([key, some]) => [Object.fromEntries(named.map(([label], i) => [label, key[i]])), some]);
}

function compareKeys(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [i, x] of a.entries()) {
    const y = b[i];
    if (x === y) continue;
    if (x === null || y === null) return x === null ? -1 : 1;
    if (typeof x === "number" && typeof y === "number") return x - y;
    return Buffer.compare(Buffer.from(String(x)), Buffer.from(String(y)));
  }
  return 0;
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
