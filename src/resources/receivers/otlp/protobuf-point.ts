// Decoder of a data point of OTLP in protocol buffers, by the kind of its metric.
// Messages: https://github.com/open-telemetry/opentelemetry-proto, metrics/v1
import type { ProtobufReader } from "../../../core/formats/protobuf.ts";
import {
  type DataPoint,
  type ExponentialBuckets,
  emptyPoint,
  KEPT_ATTRIBUTES,
  MAX_BINS,
  type MetricKind,
} from "./metric.ts";
import { readAttribute } from "./protobuf-attributes.ts";

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

/** The point of the current field. @throws TorusError `invalid` where it is damaged */
export function readPoint(reader: ProtobufReader, kind: MetricKind): DataPoint {
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
