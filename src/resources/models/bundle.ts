// Bundles: a model with one trained version as a JSON document, to move it to another server.
import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { ForecastsByFeature } from "../../api/forecast-explanation.ts";
import { fieldErrorsOf, invalid, placeErrors, TorusError } from "../../core/errors.ts";
import { jsonPieces } from "../../core/formats/json-pieces.ts";
import { check } from "../../core/input/schema.ts";
import { isAutoInterval } from "../../core/model/bucket-interval.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { VersionSummary } from "../../core/model/version-summary.ts";
import { createYielder } from "../../runtime/steps.ts";
import type { NewVersion } from "../../store/versions.ts";
import { readSeries } from "./bundle-series.ts";
import { type BucketsByName, checkModel } from "./settings.ts";

const FORMAT = "torus-model";
const FORMAT_VERSION = 1;
/** Of some 100 series each. */
const MAX_BLOCKS = 100_000;
/** Characters of base64 decoded at once, a multiple of four: some milliseconds. */
const DECODED_AT_ONCE = 1024 * 1024;
/** Path of the weights in a bundle. */
const WEIGHTS_PATH = "version.weights";

const strict = { additionalProperties: false };
const object = Type.Record(Type.String(), Type.Unknown());
const instant = (description: string) =>
  Type.Number({ minimum: -1e12, maximum: 1e12, description, rule: "must be seconds since the epoch" });

export const ModelBundle = Type.Object(
  {
    format: Type.Literal(FORMAT),
    format_version: Type.Literal(FORMAT_VERSION, { description: "Version of the format" }),
    exported_by: Type.String({ maxLength: 64, description: "Version of the server that made it" }),
    settings: Type.Unsafe<Record<string, unknown>>({ ...object, description: "Settings of the model" }),
    version: Type.Object(
      {
        name: Type.String({ maxLength: 64, description: "Name on the exporting server" }),
        from: instant("Start of the range it was trained on"),
        to: instant("End of the range, exclusive"),
        summary: Type.Unsafe<VersionSummary>(
          Type.Object(
            { forecast: Type.Optional(ForecastsByFeature) },
            {
              additionalProperties: Type.Union([
                Type.Number(),
                Type.String({ maxLength: 1024 }),
                Type.Boolean(),
              ]),
              maxProperties: 64,
              description: "Summary of the training, as in `state`",
            },
          ),
        ),
        settings: Type.Unsafe<Record<string, unknown>>({
          ...object,
          description: "Settings it was trained with",
        }),
        parameters: Type.Unsafe<Record<string, unknown>>({
          ...object,
          description: "Shapes, standardisation and calibration",
        }),
        weights: Type.String({ description: "32-bit floats, little endian, in base64" }),
      },
      strict,
    ),
    series: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MAX_BLOCKS,
        description: "Series of a fleet, with the parameters fitted to each: blocks of JSON, zstd, in base64",
      }),
    ),
    checksum: Type.String({
      description: "SHA-256, in hex, of all other fields as JSON with sorted keys and no spaces",
    }),
  },
  { ...strict, title: "bundle", $id: "ModelBundle" },
);
export type ModelBundle = Static<typeof ModelBundle>;

interface BundleContent {
  readonly settings: ModelSettings;
  readonly version: Omit<NewVersion, "model"> & { readonly name: string };
  /** Of `packSeries`; empty: none. */
  readonly series?: readonly string[];
  /** Version of this server. */
  readonly exportedBy: string;
}

/** Writes the document; it holds no secrets. */
export async function toBundle(bundled: BundleContent): Promise<ModelBundle> {
  const { settings, version, series = [], exportedBy } = bundled;
  const { name, fromAt, toAt, summary, settings: trained, parameters, weights } = version;
  const content = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    exported_by: exportedBy,
    settings,
    version: {
      name,
      from: fromAt / 1000,
      to: toAt / 1000,
      summary,
      settings: trained,
      parameters,
      weights: Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength).toString("base64"),
    },
    ...(series.length > 0 && { series: [...series] }),
  } as const;
  return { ...content, checksum: await checksumOf(content) };
}

interface ReadBundle {
  readonly settings: ModelSettings;
  /** Parameters and weights are not checked yet: only the model's kind can do that. */
  readonly version: Omit<NewVersion, "model" | "settings"> & { readonly settings: ModelSettings };
}

interface ReadContext {
  /** Name of the new model; absent: the one in the bundle. */
  readonly name: string | undefined;
  readonly buckets: BucketsByName;
}

/** Reads and checks the document. @throws TorusError `invalid` with the path in the bundle */
export async function readBundle(body: unknown, { name, buckets }: ReadContext): Promise<ReadBundle> {
  assertFormat(body);
  const bundle = check(ModelBundle, body);
  const { checksum, ...content } = bundle;
  const weights = await decodeWeights(bundle.version.weights);
  if ((await checksumOf(content)) !== checksum)
    throw invalid("checksum", "does not match the content: the bundle was cut or changed; export it again");
  const named = name === undefined ? {} : { name };
  const settings = within("settings", () => checkModel({ ...bundle.settings, ...named }, buckets));
  const trained = { ...bundle.version.settings, name: settings.name };
  const { from, to, summary, parameters } = bundle.version;
  if (to <= from) throw invalid("version.to", "must be after from");
  return {
    settings,
    version: {
      fromAt: Math.round(from * 1000),
      toAt: Math.round(to * 1000),
      summary,
      settings: within("version.settings", () => checkTrained(trained)),
      parameters,
      weights,
      ...(bundle.series && { series: readSeries(bundle.series) }),
    },
  };
}

/** Settings of a version, in which no interval is `auto`. */
function checkTrained(body: unknown): ModelSettings {
  const settings = checkModel(body, new Map());
  if (isAutoInterval(settings))
    throw invalid("bucket_interval", "must be a duration: the one that the training chose");
  return settings;
}

/** Checked first: for another format all other errors would be misleading. */
function assertFormat(body: unknown): void {
  const { format, format_version: version } = (body ?? {}) as Record<string, unknown>;
  if (format !== FORMAT)
    throw invalid("format", `must be ${FORMAT}: send what GET /models/<name>/_export?format=bundle answers`);
  if (version !== FORMAT_VERSION)
    throw invalid("format_version", `must be ${FORMAT_VERSION}, the one format this server reads`);
}

/** Weights of all networks; a version without networks has none. */
async function decodeWeights(text: string): Promise<Float32Array> {
  const pause = createYielder(new AbortController().signal);
  // A buffer of its own: that of the decoder may not be aligned to four bytes.
  const bytes = new Uint8Array(Buffer.byteLength(text, "base64"));
  let length = 0;
  for (let from = 0; from < text.length; from += DECODED_AT_ONCE) {
    const part = text.slice(from, from + DECODED_AT_ONCE);
    const decoded = Buffer.from(part, "base64");
    const isPadded = from + DECODED_AT_ONCE < text.length && part.endsWith("=");
    // The decoder skips invalid characters silently.
    if (isPadded || decoded.toString("base64") !== part)
      throw invalid(WEIGHTS_PATH, "must be base64: the text was cut or changed");
    bytes.set(decoded, length);
    length += decoded.byteLength;
    await pause();
  }
  if (length % 4 !== 0)
    throw invalid(WEIGHTS_PATH, `are ${length} bytes, not a whole number of floats: the text was cut`);
  return new Float32Array(bytes.buffer, 0, length / 4);
}

async function checksumOf(content: Omit<ModelBundle, "checksum">): Promise<string> {
  const hash = createHash("sha256");
  const pause = createYielder(new AbortController().signal);
  for (const piece of jsonPieces(content, { isSorted: true })) {
    hash.update(piece);
    await pause();
  }
  return hash.digest("hex");
}

/** Runs `read`; prefixes the path of its `invalid` error with `place`. */
export function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TorusError && error.code === "invalid")) throw error;
    const path = error.details.path ? `${place}.${error.details.path}` : place;
    const errors = placeErrors(fieldErrorsOf(error), place);
    throw new TorusError("invalid", `${place}.${error.message}`, { path, errors });
  }
}
