// Remote-write requests: protocol buffers framed as snappy literals, without compression.
import { invalid } from "../../core/errors.ts";
import type { Point } from "../../core/series/query.ts";
import { nameMetric, requireLabel } from "./selector.ts";

/** Samples of one series. */
interface WriteSeries {
  readonly labels: readonly (readonly [name: string, value: string])[];
  /** By time in ms. */
  readonly samples: Map<number, number>;
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

/**
 * Converts points to series: a metric per field, a label per tag.
 * @throws TorusError `invalid` for a name that Prometheus does not allow, and for texts and booleans
 */
export function toSeries(points: readonly Point[], measurement: string | undefined): WriteSeries[] {
  const byLabels = new Map<string, WriteSeries>();
  for (const { at, fields, tags } of points) {
    const labels = Object.entries(tags).filter(([, value]) => value !== "");
    for (const [tag] of labels) requireLabel(tag);
    for (const [field, value] of Object.entries(fields)) {
      if (value === null || (typeof value === "number" && !Number.isFinite(value))) continue;
      if (typeof value !== "number")
        throw invalid(
          "",
          `Prometheus stores numbers only, and ${JSON.stringify(field.slice(0, 64))} holds none`,
        );
      const all = [["__name__", requireName(nameMetric(field, measurement))] as const, ...labels];
      all.sort(([a], [b]) => (a < b ? -1 : 1));
      const key = JSON.stringify(all);
      const series = byLabels.get(key) ?? { labels: all, samples: new Map() };
      byLabels.set(key, series);
      series.samples.set(Math.floor(at), value);
    }
  }
  return [...byLabels.values()];
}

function requireName(name: string): string {
  if (metricName.test(name)) return name;
  throw invalid(
    "",
    `Prometheus cannot name a metric ${JSON.stringify(name.slice(0, 64))}: letters, digits, _ and : only`,
  );
}

/** The request as bytes, fit for `Content-Encoding: snappy`. */
export function encodeWrite(series: readonly WriteSeries[]): Uint8Array<ArrayBuffer> {
  return wrapSnappy(concat(series.map((one) => encodeField(1, encodeSeries(one)))));
}

function encodeSeries({ labels, samples }: WriteSeries): Uint8Array {
  const parts = labels.map(([name, value]) =>
    encodeField(1, concat([encodeField(1, Buffer.from(name)), encodeField(2, Buffer.from(value))])),
  );
  for (const at of [...samples.keys()].sort((a, b) => a - b)) {
    const bytes = Buffer.alloc(9);
    bytes[0] = (1 << 3) | 1;
    bytes.writeDoubleLE(samples.get(at)!, 1);
    parts.push(encodeField(2, concat([bytes, [2 << 3], encodeVarint(at)])));
  }
  return concat(parts);
}

/** A length-delimited field. */
function encodeField(number: number, bytes: Uint8Array): Uint8Array {
  return concat([[(number << 3) | 2], encodeVarint(bytes.length), bytes]);
}

/** A base-128 varint; a negative number takes 64 bits. */
function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...bytes, Number(rest));
}

function concat(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : Buffer.from(part)))),
  );
}

const LITERAL_BYTES = 65_536;

/** Snappy's block format: the length, then literals of up to 64 KiB, each with its length minus one. */
function wrapSnappy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [encodeVarint(bytes.length)];
  for (let from = 0; from < bytes.length; from += LITERAL_BYTES) {
    const literal = bytes.subarray(from, from + LITERAL_BYTES);
    const last = literal.length - 1;
    parts.push(Uint8Array.of(61 << 2, last & 255, last >> 8), literal);
  }
  return concat(parts);
}
