// Decoder of OTLP metrics in protocol buffers: found and counted first, then decoded some points at a time.
// Messages: https://github.com/open-telemetry/opentelemetry-proto, metrics/v1 and common/v1
import { ProtobufReader } from "../../../core/formats/protobuf.ts";
import {
  type Attribute,
  CHUNK_FIELDS,
  CHUNK_POINTS,
  CUMULATIVE,
  type DataPoint,
  type ExponentialBuckets,
  emptyPoint,
  KEPT_ATTRIBUTES,
  MAX_BINS,
  MAX_POINT_FIELDS,
  MAX_RESOURCE_ATTRIBUTES,
  type Metric,
  type MetricKind,
  type OtlpBudget,
  type ResourceMetric,
  sharedNames,
} from "./metric.ts";
import { MAX_TEXT_BYTES, readAttribute } from "./protobuf-attributes.ts";

type Span = readonly [from: number, to: number];

/** Kinds by their field in a metric. */
const kinds: ReadonlyMap<number, MetricKind> = new Map([
  [5, "gauge"],
  [7, "sum"],
  [9, "histogram"],
  [10, "exponential"],
  [11, "summary"],
]);

/** A metric, found and not yet decoded. */
interface Place {
  /** Message of the resource, in parts. */
  readonly resource: readonly Span[];
  readonly metric: Span;
  /** Name of its scope, where another one has a metric of the same name. */
  readonly scope?: string | undefined;
  readonly kind: MetricKind;
  readonly isCumulative: boolean;
  readonly isMonotonic: boolean;
  readonly data: Span;
}

/**
 * Finds the metrics of a request, and takes what they hold from the budget.
 * @throws TorusError `invalid` where it is damaged or beyond a cap
 */
export async function indexProtobuf(
  bytes: Uint8Array<ArrayBuffer>,
  budget: OtlpBudget,
): Promise<readonly Place[]> {
  const reader = new ProtobufReader(bytes);
  const places: Place[] = [];
  for (const span of findSpans(reader, [0, bytes.length], { 1: "groups" }, budget)[1]!) {
    const { 1: resource = [], 2: scopes = [] } = findSpans(
      reader,
      span,
      { 1: "groups", 2: "groups" },
      budget,
    );
    const found: Scope[] = [];
    for (const scope of scopes) {
      const { 1: parts = [], 2: metrics = [] } = findSpans(
        reader,
        scope,
        { 1: "fields", 2: "groups" },
        budget,
      );
      found.push({ parts, metrics });
      if (budget.isDue) await budget.pace();
    }
    const scopeOf = await findScopes(reader, found, budget);
    for (const { metrics } of found)
      for (const metric of metrics) {
        const scope = scopeOf.get(metric);
        places.push({ resource, metric, ...(scope && { scope }), ...findPoints(reader, metric, budget) });
        if (budget.isDue) await budget.pace();
      }
    if (budget.isDue) await budget.pace();
  }
  return places;
}

/** Messages of a scope and of its metrics. */
interface Scope {
  readonly parts: readonly Span[];
  readonly metrics: readonly Span[];
}

/** Names of the scopes of metrics whose names several scopes of a resource have. */
async function findScopes(
  reader: ProtobufReader,
  scopes: readonly Scope[],
  budget: OtlpBudget,
): Promise<ReadonlyMap<Span, string>> {
  const scopeOf = new Map<Span, string>();
  if (scopes.length < 2) return scopeOf;
  const named: [string, string[]][] = [];
  for (const { parts, metrics } of scopes) {
    const names: string[] = [];
    for (const metric of metrics) {
      names.push(readName(reader, metric));
      budget.spend();
      if (budget.isDue) await budget.pace();
    }
    named.push([parts.map((part) => readName(reader, part)).findLast(Boolean) ?? "", names]);
  }
  const shared = sharedNames(named);
  for (const [i, [scope, names]] of named.entries())
    for (const [k, name] of names.entries()) if (shared.has(name)) scopeOf.set(scopes[i]!.metrics[k]!, scope);
  return scopeOf;
}

/** The metrics of a request, some points at a time. @throws TorusError `invalid` where it is damaged */
export function* readProtobuf(
  bytes: Uint8Array<ArrayBuffer>,
  places: readonly Place[],
  budget: Pick<OtlpBudget, "spend">,
): Generator<ResourceMetric> {
  const reader = new ProtobufReader(bytes);
  let [known, resource]: [readonly Span[] | undefined, readonly Attribute[]] = [undefined, []];
  for (const place of places) {
    if (place.resource !== known) resource = readResource(reader, place.resource);
    known = place.resource;
    const { scope } = place;
    for (const metric of readMetric(reader, place, budget)) yield { resource, scope, metric };
  }
}

/** Places of the messages of some fields, by field. @param fields with the caps that they count for */
function findSpans(
  reader: ProtobufReader,
  span: Span,
  fields: Readonly<Record<number, "groups" | "points" | "fields">>,
  budget: OtlpBudget,
): Record<number, Span[]> {
  const found: Record<number, Span[]> = {};
  for (const field of Object.keys(fields)) found[Number(field)] = [];
  reader.visit(span);
  while (reader.next()) {
    const cap = fields[reader.field];
    budget.take(cap ?? "fields");
    if (cap) found[reader.field]!.push(reader.message());
    else reader.skip();
  }
  return found;
}

/** Counts the points of a metric. The temporality stands behind them. */
function findPoints(
  reader: ProtobufReader,
  metric: Span,
  budget: OtlpBudget,
): Pick<Place, "kind" | "data" | "isCumulative" | "isMonotonic"> {
  let kind: MetricKind = "unknown";
  let data: Span = [0, 0];
  reader.visit(metric);
  while (reader.next()) {
    budget.take("fields");
    const found = kinds.get(reader.field);
    if (found) [kind, data] = [found, reader.message()];
    else reader.skip();
  }
  let [temporality, monotonic] = [0, 0];
  reader.visit(data);
  while (reader.next()) {
    budget.take(reader.field === 1 ? "points" : "fields");
    if (reader.field === 2 && (kind === "sum" || kind === "histogram" || kind === "exponential"))
      temporality = reader.unsigned();
    else if (reader.field === 3 && kind === "sum") monotonic = reader.unsigned();
    else reader.skip();
  }
  return { kind, data, isCumulative: temporality === CUMULATIVE, isMonotonic: monotonic !== 0 };
}

function readResource(reader: ProtobufReader, parts: readonly Span[]): Attribute[] {
  const attributes: Attribute[] = [];
  reader.allow(MAX_POINT_FIELDS);
  for (const part of parts) {
    reader.visit(part);
    while (reader.next())
      if (reader.field === 1 && attributes.length < MAX_RESOURCE_ATTRIBUTES)
        attributes.push(readAttribute(reader));
      else reader.skip();
  }
  reader.allow(Infinity);
  return attributes;
}

/** A metric in chunks of its points; one without points as well. */
function* readMetric(
  reader: ProtobufReader,
  { metric, kind, isCumulative, isMonotonic, data }: Place,
  budget: Pick<OtlpBudget, "spend">,
): Generator<Metric> {
  const [name, description, unit] = readTexts(reader, metric);
  const own = { name, kind, isCumulative, isMonotonic, description, unit };
  let points: DataPoint[] = [];
  let fields = 0;
  reader.visit(data);
  while (reader.next()) {
    if (reader.field !== 1) {
      reader.skip();
      continue;
    }
    reader.allow(MAX_POINT_FIELDS);
    const point = readPoint(reader, kind);
    points.push(point);
    fields += MAX_POINT_FIELDS - reader.allow(Infinity) + point.bounds.length + point.counts.length;
    if (points.length < CHUNK_POINTS && fields < CHUNK_FIELDS) continue;
    budget.spend(fields);
    yield { ...own, points };
    [points, fields] = [[], 0];
  }
  yield { ...own, points };
}

/** Name of a metric, or of a scope. */
function readName(reader: ProtobufReader, message: Span): string {
  return readTexts(reader, message)[0];
}

/** The first fields of a metric: name, description and unit. */
function readTexts(reader: ProtobufReader, message: Span): [string, string, string] {
  const texts: [string, string, string] = ["", "", ""];
  reader.visit(message);
  while (reader.next())
    if (reader.field <= texts.length) texts[reader.field - 1] = reader.text(MAX_TEXT_BYTES);
    else reader.skip();
  return texts;
}

type FieldReader = (reader: ProtobufReader, point: DataPoint) => void;

const startAt: FieldReader = (reader, point) => {
  point.startAt = reader.nanoseconds();
};
const at: FieldReader = (reader, point) => {
  point.at = reader.nanoseconds();
};
const flags: FieldReader = (reader, point) => {
  point.flags = reader.unsigned();
};
const attributes: FieldReader = (reader, point) => {
  if (point.attributes.length < KEPT_ATTRIBUTES) point.attributes.push(readAttribute(reader));
  else reader.skip();
};
const count: FieldReader = (reader, point) => {
  point.count = reader.fixed64();
};
const sum: FieldReader = (reader, point) => {
  point.sum = reader.double();
};
const min: FieldReader = (reader, point) => {
  point.min = reader.double();
};
const max: FieldReader = (reader, point) => {
  point.max = reader.double();
};

const numberFields: Readonly<Record<number, FieldReader>> = {
  ...{ 2: startAt, 3: at, 7: attributes, 8: flags },
  4: (reader, point) => {
    point.value = reader.double();
  },
  6: (reader, point) => {
    point.value = reader.signedFixed64();
  },
};

/** Fields of a data point, by kind. */
const pointFields: Readonly<Record<MetricKind, Readonly<Record<number, FieldReader>>>> = {
  unknown: {},
  gauge: numberFields,
  sum: numberFields,
  histogram: {
    ...{ 2: startAt, 3: at, 4: count, 5: sum, 9: attributes, 10: flags, 11: min, 12: max },
    6: (reader, { counts }) => reader.packed("fixed64", counts, MAX_BINS),
    7: (reader, { bounds }) => reader.packed("double", bounds, MAX_BINS),
  },
  exponential: {
    ...{ 1: attributes, 2: startAt, 3: at, 4: count, 5: sum, 10: flags, 12: min, 13: max },
    6: (reader, point) => {
      point.scale = reader.zigzag();
    },
    7: (reader, point) => {
      point.zeroCount = reader.fixed64();
    },
    8: (reader, point) => {
      point.positive = readBuckets(reader);
    },
    9: (reader, point) => {
      point.negative = readBuckets(reader);
    },
  },
  summary: {
    ...{ 2: startAt, 3: at, 4: count, 5: sum, 7: attributes, 8: flags },
    6: (reader, { quantiles }) => {
      if (quantiles.length <= MAX_BINS) quantiles.push(readQuantile(reader));
      else reader.skip();
    },
  },
};

function readPoint(reader: ProtobufReader, kind: MetricKind): DataPoint {
  const fields = pointFields[kind];
  const point = emptyPoint();
  const mark = reader.enter();
  while (reader.next()) {
    const read = fields[reader.field];
    if (read) read(reader, point);
    else reader.skip();
  }
  reader.leave(mark);
  return point;
}

function readBuckets(reader: ProtobufReader): ExponentialBuckets {
  let offset = 0;
  const counts: number[] = [];
  const mark = reader.enter();
  while (reader.next())
    if (reader.field === 1) offset = reader.zigzag();
    else if (reader.field === 2) reader.packed("unsigned", counts, MAX_BINS);
    else reader.skip();
  reader.leave(mark);
  return { offset, counts };
}

function readQuantile(reader: ProtobufReader): { quantile: number; value: number } {
  let [quantile, value] = [0, 0];
  const mark = reader.enter();
  while (reader.next())
    if (reader.field === 1) quantile = reader.double();
    else if (reader.field === 2) value = reader.double();
    else reader.skip();
  reader.leave(mark);
  return { quantile, value };
}
