// Decoder of a data point of OTLP in protocol buffers, by the kind of its metric.
// Messages: https://github.com/open-telemetry/opentelemetry-proto, metrics/v1
import type { ProtobufReader } from "../../../core/formats/protobuf.ts";
import { RecentCache } from "../../../core/recent-cache.ts";
import {
  type Attribute,
  type DataPoint,
  type ExponentialBuckets,
  emptyNumber,
  emptyPoint,
  KEPT_ATTRIBUTES,
  MAX_BINS,
  type MetricKind,
} from "./metric.ts";
import { readAttribute } from "./protobuf-attributes.ts";
import type { Span } from "./protobuf-index.ts";

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
  ...{ 2: startAt, 3: at, 8: flags },
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
    ...{ 2: startAt, 3: at, 4: count, 5: sum, 10: flags, 11: min, 12: max },
    6: (reader, { counts }) => reader.packed("fixed64", counts, MAX_BINS),
    7: (reader, { bounds }) => reader.packed("double", bounds, MAX_BINS),
  },
  exponential: {
    ...{ 2: startAt, 3: at, 4: count, 5: sum, 10: flags, 12: min, 13: max },
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
    ...{ 2: startAt, 3: at, 4: count, 5: sum, 8: flags },
    6: (reader, { quantiles }) => {
      if (quantiles.length <= MAX_BINS) quantiles.push(readQuantile(reader));
      else reader.skip();
    },
  },
};

/** Field of the attributes of a data point, by kind; 0: none. */
const attributeFields: Readonly<Record<MetricKind, number>> = {
  ...{ unknown: 0, gauge: 7, sum: 7, histogram: 9, exponential: 1, summary: 7 },
};

/** The point of the current field. @throws TorusError `invalid` where it is damaged */
export function readPoint(reader: ProtobufReader, kind: MetricKind): DataPoint {
  const fields = pointFields[kind];
  const attributeField = attributeFields[kind];
  const point = fields === numberFields ? emptyNumber() : emptyPoint();
  // Most senders put the attributes together.
  let [attributesAt, attributesEnd] = [0, 0];
  let others: Span[] | undefined;
  const mark = reader.enter();
  for (let from = reader.position; reader.next(); from = reader.position) {
    const read = fields[reader.field];
    if (read) read(reader, point);
    else if (reader.field !== attributeField) reader.skip();
    else {
      reader.message();
      if (attributesEnd === 0) attributesAt = from;
      if (attributesEnd === 0 || attributesEnd === from) attributesEnd = reader.position;
      else {
        others ??= [];
        others.push([from, reader.position]);
      }
    }
  }
  reader.leave(mark);
  const behind = reader.position;
  const span: Span = [attributesAt, attributesEnd];
  if (others) point.attributes = joinAttributes(reader, [span, ...others]);
  else if (attributesEnd > 0) point.attributes = findAttributes(reader, span);
  reader.visit([behind, mark]);
  return point;
}

function joinAttributes(reader: ProtobufReader, spans: readonly Span[]): Attribute[] {
  return spans.flatMap((span) => readAttributes(reader, span)).slice(0, KEPT_ATTRIBUTES);
}

/** Attributes of the last points by their bytes: senders repeat them with every message. */
const recentAttributes = new RecentCache<readonly Attribute[]>(16_384);

/** Attributes of the same bytes are the same list. */
function findAttributes(reader: ProtobufReader, span: Span): readonly Attribute[] {
  const key = reader.binary(...span);
  const known = recentAttributes.get(key);
  if (known) return known;
  const attributes = readAttributes(reader, span);
  recentAttributes.set(key, attributes);
  return attributes;
}

function readAttributes(reader: ProtobufReader, span: Span): Attribute[] {
  const attributes: Attribute[] = [];
  reader.visit(span);
  while (reader.next())
    if (attributes.length < KEPT_ATTRIBUTES) attributes.push(readAttribute(reader));
    else reader.skip();
  return attributes;
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
