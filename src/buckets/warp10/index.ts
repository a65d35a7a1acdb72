// Kind `warp10`: Warp 10, read by WarpScript, written through its update endpoint.
import { invalid, throwIfAborted } from "../../core/errors.ts";
import type { Point } from "../../core/series/query.ts";
import { percentEncode } from "../../net/percent-encoding.ts";
import type { Bucket, BucketKind } from "../kind.ts";
import { createReader } from "../shared/pushdown.ts";
import { exploreServer } from "./explore.ts";
import { openSource } from "./read.ts";
import { matchClasses, micros, nameClass } from "./script.ts";
import { destination, secrets, settings, toClientOptions, type Warp10Settings } from "./settings.ts";
import { garbled, Store } from "./store.ts";

const LINES_PER_REQUEST = 10_000;

export const warp10: BucketKind<typeof settings> = {
  kind: "warp10",
  description:
    "Warp 10, with µs as its time unit. A field is a class, with prefix and measurement in front: " +
    "`prefix.measurement.field`. Clearing deletes every class under the prefix or, without one, all that the write token " +
    "reaches",
  settings,
  secrets,
  destination,
  open: (_name, own) => openWarp10(own),
};

function openWarp10(own: Warp10Settings): Bucket {
  const store = new Store(toClientOptions(own));
  const prefix = own.global_prefix || undefined;
  const source = { token: own.read_token, prefix };
  const token = own.write_token;
  return {
    ...createReader((_query, signal) => openSource({ store, source, signal })),
    ...(token && {
      write: createWriter(store, { token, prefix }),
      clear: async (signal: AbortSignal) => {
        // The answer to a deletion may be empty, so check first that the server is Warp 10.
        await checkServer(store, signal);
        await store.deleteSeries(matchClasses(prefix), token, signal);
      },
    }),
    explore: (options, signal) => exploreServer({ store, source }, options, signal),
    probe: async (signal) => {
      await checkServer(store, signal);
      return {};
    },
    close() {},
  };
}

async function checkServer(store: Store, signal: AbortSignal): Promise<void> {
  const [echo] = await store.run("[ 'torus' ]", signal);
  if (echo !== "torus") throw garbled(store.client);
}

function createWriter(
  store: Store,
  { token, prefix }: { readonly token: string; readonly prefix: string | undefined },
): NonNullable<Bucket["write"]> {
  return async (points, { measurement }, signal) => {
    throwIfAborted(signal);
    // All lines first: an invalid value is found before anything is sent.
    const lines = points.flatMap((point) => toLines(point, [prefix, measurement]));
    for (let from = 0; from < lines.length; from += LINES_PER_REQUEST)
      await store.update(lines.slice(from, from + LINES_PER_REQUEST), token, signal);
  };
}

/** A line per field: `<µs>// class{label=value} <number>`, names percent-encoded. */
function toLines(
  { at, fields, tags }: Point,
  [prefix, measurement]: readonly [string | undefined, string | undefined],
): string[] {
  const labels = Object.entries(tags)
    .filter(([, value]) => value !== "")
    .map((pair) => pair.map(percentEncode).join("="))
    .join(",");
  return Object.entries(fields).flatMap(([field, value]) => {
    if (value === null || (typeof value === "number" && !Number.isFinite(value))) return [];
    if (typeof value !== "number")
      throw invalid(
        "",
        `only numbers are written to Warp 10, and ${JSON.stringify(field.slice(0, 64))} holds none`,
      );
    const name = percentEncode(nameClass(prefix, measurement, field));
    return [`${micros(at)}// ${name}{${labels}} ${writeNumber(value)}`];
  });
}

/** With a decimal point: the first value of a series determines its type. */
function writeNumber(value: number): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
