// OTLP metrics as JSON, and the same requests in protocol buffers, encoded by protobufjs from the published schemas.
import protobuf from "protobufjs";

const { root } = protobuf.parse(`
  syntax = "proto3";
  message AnyValue {
    oneof value {
      string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4;
      ArrayValue arrayValue = 5; KvList kvlistValue = 6; bytes bytesValue = 7;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KvList { repeated KeyValue values = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message NumberPoint {
    repeated KeyValue attributes = 7; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3;
    oneof value { double asDouble = 4; sfixed64 asInt = 6; }
    uint32 flags = 8;
  }
  message HistogramPoint {
    repeated KeyValue attributes = 9; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; fixed64 count = 4;
    optional double sum = 5; repeated fixed64 bucketCounts = 6; repeated double explicitBounds = 7; uint32 flags = 10;
    optional double min = 11; optional double max = 12;
  }
  message Buckets { sint32 offset = 1; repeated uint64 bucketCounts = 2; }
  message ExponentialPoint {
    repeated KeyValue attributes = 1; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; fixed64 count = 4;
    optional double sum = 5; sint32 scale = 6; fixed64 zeroCount = 7; Buckets positive = 8; Buckets negative = 9;
    uint32 flags = 10; optional double min = 12; optional double max = 13;
  }
  message Quantile { double quantile = 1; double value = 2; }
  message SummaryPoint {
    repeated KeyValue attributes = 7; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; fixed64 count = 4;
    double sum = 5; repeated Quantile quantileValues = 6; uint32 flags = 8;
  }
  message Numbers { repeated NumberPoint dataPoints = 1; int32 aggregationTemporality = 2; bool isMonotonic = 3; }
  message Histogram { repeated HistogramPoint dataPoints = 1; int32 aggregationTemporality = 2; }
  message Exponential { repeated ExponentialPoint dataPoints = 1; int32 aggregationTemporality = 2; }
  message Summary { repeated SummaryPoint dataPoints = 1; }
  message Metric {
    string name = 1; string description = 2; string unit = 3; Numbers gauge = 5; Numbers sum = 7; Histogram histogram = 9;
    Exponential exponentialHistogram = 10; Summary summary = 11;
  }
  message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
  message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; string schemaUrl = 3; }
  message Resource { repeated KeyValue attributes = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scopeMetrics = 2; }
  message Request { repeated ResourceMetrics resourceMetrics = 1; }
  message PartialSuccess { int64 rejectedDataPoints = 1; string errorMessage = 2; }
  message Answer { PartialSuccess partialSuccess = 1; }
  message Status { int32 code = 1; string message = 2; }
`);

export type Encoding = "json" | "protobuf";
type Attributes = Readonly<Record<string, unknown>>;

export const contentTypes: Readonly<Record<Encoding, string>> = {
  json: "application/json",
  protobuf: "application/x-protobuf",
};

/** A request with the metrics of one resource. */
export function otlpRequest(metrics: readonly object[], resource: Attributes = {}): object {
  const scopeMetrics = [{ scope: { name: "tests" }, metrics }];
  return { resourceMetrics: [{ resource: { attributes: attributesOf(resource) }, scopeMetrics }] };
}

/** Attributes as OTLP has them. */
export function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: attributesOf(value as Attributes) } };
}

/** @param at ms since the epoch @returns nanoseconds, as JSON has them */
export function nanoseconds(at: number): string {
  return `${at}000000`;
}

export function encodeOtlp(encoding: Encoding, request: object): Uint8Array<ArrayBuffer> {
  if (encoding === "json") return new Uint8Array(Buffer.from(JSON.stringify(request)));
  const type = root.lookupType("Request");
  return new Uint8Array(type.encode(type.fromObject(request)).finish());
}

/** The body of an answer, as JSON has it. */
export function decodeOtlp(encoding: Encoding, kind: "Answer" | "Status", bytes: Uint8Array): object {
  if (encoding === "json") return JSON.parse(Buffer.from(bytes).toString());
  const type = root.lookupType(kind);
  return type.toObject(type.decode(bytes), { longs: String });
}
