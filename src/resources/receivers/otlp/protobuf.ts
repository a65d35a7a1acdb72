// Decoder of OTLP metrics in protocol buffers; resource by resource, so that a large request takes little memory.
// Messages: https://github.com/open-telemetry/opentelemetry-proto, metrics/v1 and common/v1
import { invalid } from "../../../core/errors.ts";
import { ProtobufReader } from "../../../core/formats/protobuf.ts";
import {
  type Attribute,
  attributeText,
  CHUNK_POINTS,
  CUMULATIVE,
  type DataPoint,
  type ExponentialBuckets,
  emptyPoint,
  MAX_ATTRIBUTE_DEPTH,
  type Metric,
  type MetricKind,
  type ResourceMetric,
} from "./metric.ts";

type Span = readonly [from: number, to: number];

/** Kinds by their field in a metric. */
const kinds: ReadonlyMap<number, MetricKind> = new Map([
  [5, "gauge"],
  [7, "sum"],
  [9, "histogram"],
  [10, "exponential"],
  [11, "summary"],
]);

/** The metrics of a request. @throws TorusError `invalid` where it is damaged */
export function* readProtobuf(bytes: Uint8Array<ArrayBuffer>): Generator<ResourceMetric> {
  const reader = new ProtobufReader(bytes);
  for (const span of spansOf(reader, [0, bytes.length], 1)) {
    const resource: Attribute[] = [];
    for (const part of spansOf(reader, span, 1)) {
      reader.visit(part);
      while (reader.next())
        if (reader.field === 1) resource.push(readAttribute(reader));
        else reader.skip();
    }
    for (const scope of spansOf(reader, span, 2))
      for (const metric of spansOf(reader, scope, 2))
        for (const part of readMetric(reader, metric)) yield { resource, metric: part };
  }
}

/** Places of the messages of a field. */
function spansOf(reader: ProtobufReader, span: Span, field: number): Span[] {
  const found: Span[] = [];
  reader.visit(span);
  while (reader.next())
    if (reader.field === field) found.push(reader.message());
    else reader.skip();
  return found;
}

/** A metric in chunks of its points; one without points as well. */
function* readMetric(reader: ProtobufReader, span: Span): Generator<Metric> {
  let name = "";
  let kind: MetricKind = "unknown";
  let data: Span = [0, 0];
  reader.visit(span);
  while (reader.next()) {
    const found = kinds.get(reader.field);
    if (reader.field === 1) name = reader.text();
    else if (found) [kind, data] = [found, reader.message()];
    else reader.skip();
  }
  const isCumulative = readTemporality(reader, { kind, data }) === CUMULATIVE;
  let points: DataPoint[] = [];
  reader.visit(data);
  while (reader.next()) {
    if (reader.field === 1) points.push(readPoint(reader, kind));
    else reader.skip();
    if (points.length < CHUNK_POINTS) continue;
    yield { name, kind, isCumulative, points };
    points = [];
  }
  yield { name, kind, isCumulative, points };
}

/** The temporality stands behind the points. */
function readTemporality(
  reader: ProtobufReader,
  { kind, data }: { readonly kind: MetricKind; readonly data: Span },
): number {
  let temporality = 0;
  if (kind === "gauge" || kind === "summary") return temporality;
  reader.visit(data);
  while (reader.next())
    if (reader.field === 2) temporality = reader.unsigned();
    else reader.skip();
  return temporality;
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
  point.attributes.push(readAttribute(reader));
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
    6: (reader, { counts }) => reader.packed("fixed64", (value) => counts.push(value)),
    7: (reader, { bounds }) => reader.packed("double", (value) => bounds.push(value)),
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
    6: (reader, { quantiles }) => quantiles.push(readQuantile(reader)),
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
    else if (reader.field === 2) reader.packed("unsigned", (value) => counts.push(value));
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

function readAttribute(reader: ProtobufReader): Attribute {
  const [name, value] = readKeyValue(reader, 0);
  return [name, attributeText(value)];
}

function readKeyValue(reader: ProtobufReader, depth: number): [name: string, value: unknown] {
  let name = "";
  let value: unknown = "";
  const mark = reader.enter();
  while (reader.next())
    if (reader.field === 1) name = reader.text();
    else if (reader.field === 2) value = readValue(reader, depth);
    else reader.skip();
  reader.leave(mark);
  return [name, value];
}

function readValue(reader: ProtobufReader, depth: number): unknown {
  if (depth > MAX_ATTRIBUTE_DEPTH)
    throw invalid("body", `has an attribute nested deeper than ${MAX_ATTRIBUTE_DEPTH} levels`);
  let value: unknown = "";
  const mark = reader.enter();
  while (reader.next()) {
    if (reader.field === 1) value = reader.text();
    else if (reader.field === 2) value = reader.unsigned() !== 0;
    else if (reader.field === 3) value = reader.signed();
    else if (reader.field === 4) value = reader.double();
    else if (reader.field === 5) value = readParts(reader, (inner) => readValue(inner, depth + 1));
    else if (reader.field === 6)
      value = Object.fromEntries(readParts(reader, (inner) => readKeyValue(inner, depth + 1)));
    else if (reader.field === 7) value = reader.bytes().toString("base64");
    else reader.skip();
  }
  reader.leave(mark);
  return value;
}

/** The messages of field 1 of a message. */
function readParts<T>(reader: ProtobufReader, read: (reader: ProtobufReader) => T): T[] {
  const parts: T[] = [];
  const mark = reader.enter();
  while (reader.next())
    if (reader.field === 1) parts.push(read(reader));
    else reader.skip();
  reader.leave(mark);
  return parts;
}
