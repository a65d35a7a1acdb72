// Messages of remote write, encoded by protobufjs from the published schemas, and pushed as Prometheus does.
import protobuf from "protobufjs";
import { compress } from "snappyjs";

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Label { string name = 1; string value = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }
  message Exemplar { double value = 2; int64 timestamp = 3; }
  message Histogram { double sum = 3; int64 timestamp = 15; }
  message SeriesV1 {
    repeated Label labels = 1; repeated Sample samples = 2; repeated Exemplar exemplars = 3;
    repeated Histogram histograms = 4;
  }
  message MetadataV1 { uint32 type = 1; string metric_family_name = 2; string help = 4; string unit = 5; }
  message V1 { repeated SeriesV1 timeseries = 1; repeated MetadataV1 metadata = 3; }
  message MetadataV2 { uint32 type = 1; uint32 help_ref = 3; uint32 unit_ref = 4; }
  message SeriesV2 {
    repeated uint32 labels_refs = 1; repeated Sample samples = 2; repeated Histogram histograms = 3;
    repeated Exemplar exemplars = 4; MetadataV2 metadata = 5; int64 created_timestamp = 6;
  }
  message V2 { repeated string symbols = 4; repeated SeriesV2 timeseries = 5; }
`);

/** Value of a stale marker. */
export const STALE = "stale";
/** In place of stale markers until their bytes are set: encoders may turn any NaN into another. */
const PLACEHOLDER = 1.2345678912345e-300;

export interface SentSeries {
  /** With `__name__`. */
  readonly labels: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  /** By time in ms. */
  readonly samples?: readonly (readonly [at: number, value: number | typeof STALE])[];
  /** Number of native histograms. */
  readonly histograms?: number;
  /** Number of exemplars; default: 1. */
  readonly exemplars?: number;
  /** Type by its number; in version 1 of the family `family`, in version 2 of the series. */
  readonly metadata?: {
    readonly family: string;
    readonly type: number;
    readonly help: string;
    readonly unit: string;
  };
}

export const types = {
  1: "application/x-protobuf",
  2: "application/x-protobuf;proto=io.prometheus.write.v2.Request",
} as const;

function encode(type: string, message: object): Uint8Array<ArrayBuffer> {
  return markStale(new Uint8Array(root.lookupType(type).encode(message).finish()));
}

function markStale(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const placeholder = Buffer.from(Float64Array.of(PLACEHOLDER).buffer);
  const marker = new Uint8Array(BigUint64Array.of(0x7ff0000000000002n).buffer);
  const found = Buffer.from(bytes.buffer);
  for (let at = found.indexOf(placeholder); at >= 0; at = found.indexOf(placeholder, at))
    bytes.set(marker, at);
  return bytes;
}

const pairsOf = ({ labels }: SentSeries) =>
  Array.isArray(labels) ? (labels as [string, string][]) : Object.entries(labels as Record<string, string>);
const samplesOf = ({ samples = [], histograms = 0, exemplars = 1 }: SentSeries) => ({
  samples: samples.map(([timestamp, value]) => ({
    timestamp,
    value: value === STALE ? PLACEHOLDER : value,
  })),
  histograms: Array.from({ length: histograms }, () => ({ sum: 1, timestamp: 1 })),
  exemplars: Array.from({ length: exemplars }, () => ({ value: 1, timestamp: 1 })),
});

/** The message, not compressed. */
export function encodeMessage(version: 1 | 2, series: readonly SentSeries[]): Uint8Array<ArrayBuffer> {
  if (version === 1) {
    const timeseries = series.map((one) => ({
      labels: pairsOf(one).map(([name, value]) => ({ name, value })),
      ...samplesOf(one),
    }));
    const described = series.flatMap(({ metadata }) =>
      metadata ? [{ ...metadata, metricFamilyName: metadata.family }] : [],
    );
    return encode("V1", { timeseries, metadata: [{ metricFamilyName: "up" }, ...described] });
  }
  const places = new Map([["", 0]]);
  const refer = (text: string) => {
    if (!places.has(text)) places.set(text, places.size);
    return places.get(text)!;
  };
  const timeseries = series.map((one) => ({
    labelsRefs: pairsOf(one).flatMap((pair) => pair.map(refer)),
    ...samplesOf(one),
    metadata: one.metadata
      ? { ...one.metadata, helpRef: refer(one.metadata.help), unitRef: refer(one.metadata.unit) }
      : { type: 1, helpRef: 0 },
    createdTimestamp: 1,
  }));
  return encode("V2", { symbols: [...places.keys()], timeseries });
}

/** A block of snappy. */
export function pack(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(compress(bytes));
}

/** Pushes a message to a server. */
export function push(url: string, version: 1 | 2, series: readonly SentSeries[]): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": types[version], "content-encoding": "snappy" },
    body: pack(encodeMessage(version, series)),
  });
}
