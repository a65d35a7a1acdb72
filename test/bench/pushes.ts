// Bodies of pushed points, as Telegraf, Prometheus and OpenTelemetry send them: batches of 5 000 points of 100 series.
import { attributesOf, contentTypes, encodeOtlp, nanoseconds, otlpRequest } from "../support/otlp.ts";
import { encodeMessage, pack, type SentSeries, types } from "../support/remote-write.ts";

export const BATCH = 5000;
const SERIES = 100;
export const startAt = Date.UTC(2026, 0, 1);

/** A protocol and encoding in which points are pushed. */
export interface Encoding {
  readonly headers: Readonly<Record<string, string>>;
  /** @param number of the batch, from 0; times rise with it */
  readonly encode: (number: number) => Uint8Array<ArrayBuffer>;
}

export const lineProtocol: Encoding = { headers: {}, encode: encodeLines };

export const packedLines: Encoding = {
  headers: { "content-encoding": "gzip" },
  encode: (number) => Bun.gzipSync(encodeLines(number)),
};

export function remoteWrite(version: 1 | 2): Encoding {
  return {
    headers: { "content-type": types[version], "content-encoding": "snappy" },
    encode: (number) => pack(encodeMessage(version, seriesOf(number))),
  };
}

export function otlp(encoding: "protobuf" | "json"): Encoding {
  return {
    headers: { "content-type": contentTypes[encoding] },
    encode: (number) => encodeOtlp(encoding, gaugesOf(number)),
  };
}

/** Points of the batch number `number`: one every 10 s and series. */
function pointsOf(number: number) {
  return Array.from({ length: BATCH }, (_, i) => {
    const index = number * BATCH + i;
    const at = startAt + Math.floor(index / SERIES) * 10_000;
    return { host: `host-${index % SERIES}`, value: (index % 997) / 10, at };
  });
}

/** Line protocol of a batch. */
export function makeBatch(number: number): string {
  const lines = pointsOf(number).map(
    ({ host, value, at }) => `cpu,host=${host},region=eu usage=${value} ${at}000000`,
  );
  return lines.join("\n");
}

function encodeLines(number: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(makeBatch(number)));
}

/** Prometheus sends the samples of a few scrapes per series. */
function seriesOf(number: number): SentSeries[] {
  return [...Map.groupBy(pointsOf(number), ({ host }) => host)].map(([host, points]) => ({
    labels: { __name__: "cpu_usage", host, region: "eu" },
    samples: points.map(({ at, value }) => [at, value] as const),
  }));
}

/** OpenTelemetry sends a point per series and export. */
function gaugesOf(number: number): object {
  const dataPoints = pointsOf(number).map(({ host, value, at }) => ({
    timeUnixNano: nanoseconds(at),
    asDouble: value,
    attributes: attributesOf({ host, region: "eu" }),
  }));
  return otlpRequest([{ name: "cpu.usage", gauge: { dataPoints } }]);
}
