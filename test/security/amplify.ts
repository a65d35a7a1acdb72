// Messages that are small and stand for much work: many tiny elements, nested, packed; by a seed. For the fuzz of receivers.
import { encodeVarint, wrap } from "../support/wire.ts";

/** A request, named by what it amplifies. */
export interface Amplifier {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Numbers from 0 to `below`, by a seed: mulberry32. */
export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Shape {
  readonly random: Random;
  /** Of the message, unpacked. */
  readonly bytes: number;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

/** Smallest elements of protocol buffers: empty messages, numbers, zeros of fixed width, short texts. */
function elementOf(random: Random, field: number): Uint8Array {
  const tag = (type: number) => encodeVarint(field * 8 + type);
  return pick<() => Uint8Array>(random, [
    () => Buffer.from([...tag(2), 0]),
    () => Buffer.from([...tag(0), random(128)]),
    () => Buffer.from([...tag(2), 2, 10, 0]),
    () => Buffer.from([...tag(1), ...new Array(8).fill(0)]),
  ])();
}

function repeat(unit: Uint8Array, bytes: number): Uint8Array {
  return Buffer.alloc(Math.floor(bytes / unit.length) * unit.length, unit);
}

/** Fields from the outside in, in which messages of OTLP lie, and those that are repeated there. */
const otlpPlaces: readonly (readonly [name: string, path: readonly number[], fields: readonly number[]])[] = [
  ["requests", [], [1, 2, 15]],
  ["resources", [1], [1, 2, 15]],
  ["attributes of a resource", [1, 1], [1, 15]],
  ["scopes", [1, 2], [1, 2, 15]],
  ["a metric", [1, 2, 2], [1, 5, 9, 15]],
  ["points", [1, 2, 2, 5], [1, 2, 15]],
  ["a gauge", [1, 2, 2, 5, 1], [7, 3, 15]],
  ["a histogram", [1, 2, 2, 9, 1], [6, 7, 9, 15]],
  ["buckets", [1, 2, 2, 10, 1, 8], [2, 15]],
  ["a summary", [1, 2, 2, 11, 1], [6, 7]],
  ["values of an attribute", [1, 2, 2, 5, 1, 7, 2, 5], [1]],
  ["pairs of an attribute", [1, 2, 2, 5, 1, 7, 2, 6], [1]],
];

function otlpProtobuf({ random, bytes }: Shape): Amplifier {
  const [name, path, fields] = pick(random, otlpPlaces);
  const field = pick(random, fields);
  const inner = repeat(elementOf(random, field), bytes);
  const body = path.reduceRight((within, outer) => wrap(outer, within), inner);
  return {
    name: `OTLP: ${name}, field ${field}`,
    path: "/v1/metrics?bucket=fuzz",
    headers: { "content-type": "application/x-protobuf", "content-encoding": "gzip" },
    body: new Uint8Array(Bun.gzipSync(new Uint8Array(body))),
  };
}

const otlpJsonPlaces: readonly (readonly [before: string, after: string])[] = [
  ['{"resourceMetrics":[', "]}"],
  ['{"resourceMetrics":[{"scopeMetrics":[', "]}]}"],
  ['{"resourceMetrics":[{"resource":{"attributes":[', "]}}]}"],
  ['{"resourceMetrics":[{"scopeMetrics":[{"metrics":[', "]}]}]}"],
  ['{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"gauge":{"dataPoints":[', "]}}]}]}]}"],
  [
    '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{"bucketCounts":[',
    "]}]}}]}]}]}",
  ],
];

function otlpJson({ random, bytes }: Shape): Amplifier {
  const [before, after] = pick(random, otlpJsonPlaces);
  const unit = pick(random, ["{}", "null", "1", '""', '{"a":0}']);
  return {
    name: `OTLP in JSON: ${before.slice(-24)} ${unit}`,
    path: "/v1/metrics?bucket=fuzz",
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: new Uint8Array(Bun.gzipSync(Buffer.from(listOf(before, unit, after, bytes)))),
  };
}

function listOf(before: string, unit: string, after: string, bytes: number): string {
  return `${before}${`${unit},`.repeat(Math.min(bytes, 15_000_000) / (unit.length + 1))}${unit}${after}`;
}

/** A block of snappy that repeats a unit by copies of 64 bytes. */
function packRepeated(head: Uint8Array, unit: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const total = bytes - (bytes % unit.length);
  const literal = (part: Uint8Array) => Buffer.concat([Buffer.from([(part.length - 1) << 2]), part]);
  const copy = (length: number) => Buffer.from([((length - 1) << 2) | 2, unit.length, 0]);
  const rest = total - unit.length;
  return new Uint8Array(
    Buffer.concat([
      Buffer.from(encodeVarint(head.length + total)),
      ...(head.length > 0 ? [literal(head)] : []),
      literal(unit),
      Buffer.alloc(Math.floor(rest / 64) * 3, copy(64)),
      ...(rest % 64 > 0 ? [copy(rest % 64)] : []),
    ]),
  );
}

function remoteWrite({ random, bytes }: Shape): Amplifier {
  const version = pick(random, [1, 2]);
  const isInSeries = random(2) === 0;
  const field = pick(random, isInSeries ? [1, 2, 3, 4, 15] : [1, 3, 4, 5, 15]);
  const unit = elementOf(random, field);
  const total = bytes - (bytes % unit.length);
  const series = version === 1 ? 1 : 5;
  const head = isInSeries ? Buffer.from([series * 8 + 2, ...encodeVarint(total)]) : Buffer.alloc(0);
  const proto = version === 1 ? "" : ";proto=io.prometheus.write.v2.Request";
  return {
    name: `remote write ${version}.0: field ${field}${isInSeries ? " of a series" : ""}`,
    path: "/api/v1/write?bucket=fuzz",
    headers: { "content-type": `application/x-protobuf${proto}`, "content-encoding": "snappy" },
    body: packRepeated(head, unit, total),
  };
}

const jsonPlaces: readonly (readonly [path: string, before: string, after: string])[] = [
  ["/buckets/fuzz/_write", "[", "]"],
  ["/_detect", '{"points":[', "]}"],
  ["/_predict", '{"points":[', "]}"],
  ["/mcp", "[", "]"],
  [
    "/mcp",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_model","arguments":{"features":[',
    "]}}}",
  ],
  ["/models", '{"name":"m","type":"donut","features":[', "]}"],
  ["/templates", '{"name":"t","settings":{"features":[', "]}}"],
  ["/_apply", '{"resources":{"models":[', "]}}"],
  ["/models/_import", '{"models":[', "]}"],
  ["/scheduled_jobs", '{"name":"j","json":{"x":[', "]}}"],
  ["/hooks", '{"name":"h","config":{"x":[', "]}}"],
];

function json({ random, bytes }: Shape): Amplifier {
  const [path, before, after] = pick(random, jsonPlaces);
  const unit = pick(random, ["{}", "[]", "0", '""', "null", '{"a":0}', "[[[]]]"]);
  // As many as a body of settings may have, too, so that what is behind the parser is tried.
  const count = random(2) === 0 ? bytes : 24_000 * (unit.length + 1);
  return {
    name: `JSON: ${path} ${unit}`,
    path,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: listOf(before, unit, after, count),
  };
}

function lines({ random, bytes }: Shape): Amplifier {
  const unit = pick(random, ["\n", "#\n", "m a=1\n", "m a=1,b=2\n", "x\n", 'm a="\n', ",\n"]);
  return {
    name: `lines: ${JSON.stringify(unit)}`,
    path: "/write?db=fuzz",
    headers: { "content-encoding": "gzip" },
    body: new Uint8Array(
      Bun.gzipSync(repeat(Buffer.from(unit), Math.min(bytes, 16_000_000)) as Uint8Array<ArrayBuffer>),
    ),
  };
}

type Wrap = (inner: string) => string;

function promql({ random }: Shape): Amplifier {
  const step = pick(random, ["1ms", "10ms", "1s"]);
  const range = pick(random, ["1000s", "1d", "30d", "10y"]);
  const vectorOf = pick(random, ["vector(1)", "vector(time())", "vector(1e300)", "absent(a)"]);
  const wraps: readonly Wrap[] = [
    (q) => `sum_over_time((${q})[${range}:${step}])`,
    (q) => `label_join(${q},"a","","a","a","a","a")`,
    (q) => `label_replace(${q},"a","$1$1$1","a","(.*)")`,
    (q) => `label_replace(${q},"b","$1","a","${"(.*)".repeat(1 + random(120))}")`,
    (q) => `count_values("v",${q})`,
    (q) => `(${q} or label_replace(${q},"c","x${random(100)}","",""))`,
    (q) => `topk(3,${q} * scalar(${q}))`,
  ];
  let query = `label_replace(${vectorOf},"a","${"x".repeat(1 + random(3000))}","","")`;
  for (let i = 1 + random(12); i > 0; i--) {
    const wrapped = pick(random, wraps)(query);
    if (wrapped.length < 18_000) query = wrapped;
  }
  const isRange = random(2) === 0;
  const params = new URLSearchParams({ query, ...(isRange && { start: "0", end: "10999", step: "1" }) });
  return {
    name: `PromQL: ${query.replace(/x{4,}/g, "x..").slice(0, 100)}`,
    path: `/prometheus/api/v1/query${isRange ? "_range" : ""}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: params.toString(),
  };
}

const makers = [otlpProtobuf, otlpJson, remoteWrite, json, lines, promql];

/** One of each maker in turn. @param bytes of messages that are unpacked */
export function amplifierOf(seed: number, bytes: number): Amplifier {
  return makers[seed % makers.length]!({ random: createRandom(seed), bytes });
}
