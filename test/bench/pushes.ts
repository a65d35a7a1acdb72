// Bodies of pushed points, as Telegraf, Prometheus and OpenTelemetry send them: batches of 5 000 points of 100 series, or of another shape.
import { attributesOf, contentTypes, encodeOtlp, nanoseconds, otlpRequest } from "../support/otlp.ts";
import { encodeMessage, pack, type SentSeries, types } from "../support/remote-write.ts";

export const BATCH = 5000;
export const startAt = Date.UTC(2026, 0, 1);

export interface Shape {
  /** Points of a batch. */
  readonly batch: number;
  readonly series: number;
  /** Whether each tenth point comes after the next `LAG` points of its series. */
  readonly isLate: boolean;
}

const usual: Shape = { batch: BATCH, series: 100, isLate: false };
/** Points of a series by which a late one is late. */
const LAG = 20;
const LATE_EVERY = 10;

/** A protocol and encoding in which points are pushed. */
export interface Encoding {
  readonly headers: Readonly<Record<string, string>>;
  /** @param number of the batch, from 0; times rise with it */
  readonly encode: (number: number, shape?: Shape) => Uint8Array<ArrayBuffer>;
}

export const lineProtocol: Encoding = { headers: {}, encode: encodeLines };

export const packedLines: Encoding = {
  headers: { "content-encoding": "gzip" },
  encode: (number, shape) => Bun.gzipSync(encodeLines(number, shape)),
};

export function remoteWrite(version: 1 | 2): Encoding {
  return {
    headers: { "content-type": types[version], "content-encoding": "snappy" },
    encode: (number, shape) => pack(encodeMessage(version, seriesOf(number, shape))),
  };
}

export function otlp(encoding: "protobuf" | "json"): Encoding {
  return {
    headers: { "content-type": contentTypes[encoding] },
    encode: (number, shape) => encodeOtlp(encoding, gaugesOf(number, shape)),
  };
}

/** Points of the batch number `number`: one every 10 s and series. */
function pointsOf(number: number, { batch, series, isLate }: Shape = usual) {
  return Array.from({ length: batch }, (_, i) => {
    const place = number * batch + i;
    // Of the points that come late none is sent twice, as the lag is a multiple of their distance.
    const lag = isLate && place % LATE_EVERY === 0 && place >= LAG * series ? LAG * series : 0;
    const index = place - lag;
    const at = startAt + Math.floor(index / series) * 10_000;
    return { host: `host-${index % series}`, value: (index % 997) / 10, at };
  });
}

/** Line protocol of a batch. */
export function makeBatch(number: number, shape?: Shape): string {
  const lines = pointsOf(number, shape).map(
    ({ host, value, at }) => `cpu,host=${host},region=eu usage=${value} ${at}000000`,
  );
  return lines.join("\n");
}

function encodeLines(number: number, shape?: Shape): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(makeBatch(number, shape)));
}

/** Prometheus sends the samples of a few scrapes per series. */
function seriesOf(number: number, shape?: Shape): SentSeries[] {
  return [...Map.groupBy(pointsOf(number, shape), ({ host }) => host)].map(([host, points]) => ({
    labels: { __name__: "cpu_usage", host, region: "eu" },
    // The protocol asks for samples in order of time.
    samples: points.map(({ at, value }) => [at, value] as const).sort(([a], [b]) => a - b),
  }));
}

/** OpenTelemetry sends a point per series and export. */
function gaugesOf(number: number, shape?: Shape): object {
  const dataPoints = pointsOf(number, shape).map(({ host, value, at }) => ({
    timeUnixNano: nanoseconds(at),
    asDouble: value,
    attributes: attributesOf({ host, region: "eu" }),
  }));
  return otlpRequest([{ name: "cpu.usage", gauge: { dataPoints } }]);
}
