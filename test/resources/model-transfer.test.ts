// Model transfer: bundles survive the way bit by bit; every modification is detected.
import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import type { TorusError } from "../../src/core/errors.ts";
import { sortKeys } from "../../src/core/input/json.ts";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { Pool, spawnWorker } from "../../src/jobs/workers/pool.ts";
import { createDonut } from "../../src/models/donut/index.ts";
import { ModelTransfer } from "../../src/resources/model-transfer.ts";
import { type ModelBundle, toBundle } from "../../src/resources/models/bundle.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { loadSeriesFits } from "../../src/store/fleets/version-series.ts";
import { createModel, patchModels } from "../../src/store/models.ts";
import { createTrainedModel, loadVersion } from "../../src/store/versions.ts";
import { parameterCount } from "../../wasm/donut/layout.ts";
import { aFit } from "../store/fleets/builders.ts";
import { codeOf } from "../store/temporary.ts";
import { scoreWindows } from "../support/plain-onnx.ts";
import { makeSeriesParameters, makeSettings, makeVersion, shape } from "../support/trained-donut.ts";
import { useWorld } from "./world.ts";

const NOW = 1_700_000_000_000;

// The first import starts a worker.
setDefaultTimeout(180_000);
const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
afterAll(() => pool.stop());

const world = useWorld();
let transfer: ModelTransfer;
let changed: string[];
beforeEach(async () => {
  world.clock.at = NOW;
  changed = [];
  const { store, clock } = world;
  const onChange = async (names: readonly string[]) => void changed.push(...names);
  transfer = new ModelTransfer({
    store,
    clock,
    kind: createDonut(),
    compute: pool,
    serverVersion: "9.9",
    onChange,
  });
  const settings = makeSettings(["load", "hits"]);
  await createTrainedModel(
    store,
    { model: { name: "m", settings }, version: makeVersion(["load", "hits"]) },
    0,
  );
});

/** As it travels. */
const exported = async (params: object = {}): Promise<ModelBundle> =>
  JSON.parse(JSON.stringify(await transfer.exportBundle("m", { ...params }), null, 2));

/** With a checksum that fits again: what is wrong is told even then. */
function sealed({ checksum: _, ...content }: ModelBundle): ModelBundle {
  return {
    ...content,
    checksum: createHash("sha256")
      .update(JSON.stringify(sortKeys(content)))
      .digest("hex"),
  };
}

async function refusalOf(bundle: unknown): Promise<TorusError> {
  try {
    await transfer.importBundle(bundle, { name: "n" });
  } catch (error) {
    expect((await world.models.list()).entries).toHaveLength(1);
    return error as TorusError;
  }
  throw new Error("should have been refused");
}

test("an imported model is the one that was exported, to the last bit", async () => {
  await transfer.importBundle(await exported(), { name: "n" });
  const { weights, parameters, settings, summary, fromAt, toAt, ...rest } = await loadVersion(
    world.store,
    "n",
    "00",
  );
  const original = await loadVersion(world.store, "m", "00");
  expect(Buffer.from(weights.buffer).equals(Buffer.from(original.weights.buffer))).toBe(true);
  expect({ parameters, summary, fromAt, toAt }).toEqual({
    parameters: original.parameters,
    summary: original.summary,
    fromAt: original.fromAt,
    toAt: original.toAt,
  });
  expect(settings).toEqual({ ...original.settings, name: "n" });
  expect(rest).toMatchObject({ model: "n", createdAt: NOW });
  const [view] = (await world.models.get(["n"])).entries;
  expect(view).toMatchObject({
    settings: { ...makeSettings(["load", "hits"]), name: "n" },
    state: { trained: true, loss: -0.1, span: 6, points: 100, bucket_interval: 60 },
  });
  expect(changed).toEqual(["n"]);
});

test("a bundle has the model's present settings beside those of the training, and no hooks", async () => {
  const change = (settings: ModelSettings) => ({ ...settings, max_threshold: 70 });
  await patchModels(world.store, ["m"], { at: 1, change });
  const config = { type: "anomaly", bucket: "b" };
  await world.hooks.put("m", { name: "marks", type: "annotations", config });
  const bundle = await exported();
  expect(bundle).toMatchObject({
    format: "torus-model",
    format_version: 1,
    exported_by: "9.9",
    settings: { name: "m", max_threshold: 70 },
    version: { name: "00", from: 0, to: 6000, settings: makeSettings(["load", "hits"]) },
  });
  expect(JSON.stringify(bundle)).not.toContain("marks");
});

test("a large model fits into a request: five features of 200 x 200 are 5.6 MB", async () => {
  const size = parameterCount({ window: 200, hidden: 200, latent: 16 });
  const weights = new Float32Array(5 * size).fill(0.123);
  const content = { ...makeVersion(["load"]), name: "00", weights };
  const bundle = await toBundle({ settings: makeSettings(["load"]), version: content, exportedBy: "9.9" });
  expect(JSON.stringify(bundle).length / 1e6).toBeCloseTo(5.6, 1);
});

test("a fleet takes its series along", async () => {
  const fits = ["a", "b", "c"].map((host, i) =>
    aFit(host, { parameters: makeSeriesParameters(["load"], i / 3) }),
  );
  const model = { name: "f", settings: { ...makeSettings(["load"]), name: "f" } };
  await createTrainedModel(world.store, { model, version: { ...makeVersion(["load"]), series: fits } }, 0);
  const bundle = JSON.parse(JSON.stringify(await transfer.exportBundle("f", {})));
  await transfer.importBundle(bundle, { name: "g" });
  const pages = [];
  for await (const page of loadSeriesFits(world.store, { model: "g", version: "00" }))
    pages.push(page.map(({ packed: _, ...fit }) => fit));
  expect(pages.flat()).toEqual(fits.map((fit) => ({ ...fit, fittedAt: NOW })));
});

test("a fleet whose series were changed is not created", async () => {
  const fitted = {
    ...makeVersion(["load"]),
    series: [aFit("a", { parameters: makeSeriesParameters(["load"]) })],
  };
  const model = { name: "f", settings: { ...makeSettings(["load"]), name: "f" } };
  await createTrainedModel(world.store, { model, version: fitted }, 0);
  const bundle = await transfer.exportBundle("f", {});
  const changed = { ...bundle, series: [...bundle.series!, ...bundle.series!] };
  await expect(transfer.importBundle(changed, { name: "g" })).rejects.toMatchObject({
    details: { path: "checksum" },
  });
  await expect(transfer.importBundle(sealed(changed), { name: "g" })).rejects.toMatchObject({
    details: { path: "series.1" },
  });
  expect((await world.models.list()).entries).toHaveLength(2);
});

test.each([
  [{ a: Array.from({ length: 1000 }, () => 0) }, "series.parameters.a"],
  [makeSeriesParameters(["other"]), "series.parameters.features.0.name"],
  [makeSeriesParameters(["load", "load"]), "series.parameters.features"],
])("a fleet with a series that its kind does not know is not created %#", async (parameters, path) => {
  const whole = { ...makeSeriesParameters(["load"]), ...parameters };
  const series = [
    aFit("a", { parameters: makeSeriesParameters(["load"]) }),
    aFit("b", { parameters: whole }),
  ];
  const model = { name: "f", settings: { ...makeSettings(["load"]), name: "f" } };
  await createTrainedModel(world.store, { model, version: { ...makeVersion(["load"]), series } }, 0);
  const bundle = await transfer.exportBundle("f", {});
  await expect(transfer.importBundle(bundle, { name: "g" })).rejects.toMatchObject({ details: { path } });
  expect((await world.models.list()).entries).toHaveLength(2);
});

test("a model without series has none in its bundle", async () => {
  expect(await exported()).not.toHaveProperty("series");
});

test("the order of keys and spaces do not matter", async () => {
  const bundle = await exported();
  const turned = Object.fromEntries(Object.entries(bundle).reverse());
  await transfer.importBundle(turned, { name: "n" });
  expect((await world.models.list()).entries).toHaveLength(2);
});

test("a name that is taken stays as it is; without a name it is the old one", async () => {
  expect(await codeOf(transfer.importBundle(await exported(), {}))).toBe("already_exists");
  expect(await codeOf(transfer.importBundle(await exported(), { name: "m" }))).toBe("already_exists");
  expect(changed).toEqual([]);
});

test("a name that is none is refused", async () => {
  const bundle = await exported();
  await expect(transfer.importBundle(bundle, { name: "../x" })).rejects.toMatchObject({
    details: { path: "settings.name" },
  });
});

const version = (change: (version: ModelBundle["version"]) => object) => (bundle: ModelBundle) => ({
  version: { ...bundle.version, ...change(bundle.version) },
});

/** A bundle whose weights, as bytes, are changed. */
const weights = (change: (bytes: Buffer) => Buffer) =>
  version(({ weights: text }) => ({ weights: change(Buffer.from(text, "base64")).toString("base64") }));
const swapHalves = (bytes: Buffer) =>
  Buffer.concat([bytes.subarray(bytes.length / 2), bytes.subarray(0, bytes.length / 2)]);
const writeNaN = (bytes: Buffer) => {
  bytes.writeFloatLE(Number.NaN, 0);
  return bytes;
};

test("a version without a network survives the way, too", async () => {
  const settings: ModelSettings = { ...makeSettings(["load"]), name: "young", detector: "auto" };
  const load = Float64Array.from({ length: 100 }, (_, i) => Math.sin(i / 9) + (i % 7) / 20);
  const grid = { startAt: 0, intervalMs: 60_000, length: 100, columns: { load } };
  const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
  const trained = await createDonut().train({ settings, grid, overrides: {} }, context);
  const own = { settings, fromAt: 0, toAt: 6_000_000, ...trained };
  await createTrainedModel(world.store, { model: { name: "young", settings }, version: own }, 0);
  const bundle = JSON.parse(JSON.stringify(await transfer.exportBundle("young", {})));
  await transfer.importBundle(bundle, { name: "copy" });
  const { weights, parameters } = await loadVersion(world.store, "copy", "00");
  expect(weights.length).toBe(0);
  expect(parameters).toEqual(trained.parameters);
});

type Refusal = [string, (bundle: ModelBundle) => object, path: string, message: string];
const refusals: Refusal[] = [
  ["another document", () => ({ format: "zip" }), "format", "must be torus-model"],
  ["a later format", () => ({ format_version: 2 }), "format_version", "must be 1"],
  ["weights that were cut", weights((bytes) => bytes.subarray(0, 12)), "checksum", "does not match"],
  ["weights that were swapped", weights(swapHalves), "checksum", "does not match"],
  [
    "half a character",
    version((own) => ({ weights: own.weights.slice(1) })),
    "version.weights",
    "must be base64",
  ],
  ["half a float", weights((bytes) => bytes.subarray(2)), "version.weights", "not a whole number of floats"],
  ["no weights", version(() => ({ weights: "" })), "checksum", "does not match"],
  [
    "a changed setting",
    ({ settings }) => ({ settings: { ...settings, span: 7 } }),
    "checksum",
    "does not match",
  ],
  ["no checksum", () => ({ checksum: undefined }), "checksum", "is required"],
  ["more than belongs there", () => ({ hooks: [] }), "hooks", "is unknown"],
];
test.each(refusals)("rejected: %s", async (_, change, path, message) => {
  const bundle = await exported();
  const changed = JSON.parse(JSON.stringify({ ...bundle, ...change(bundle) }));
  const error = await refusalOf(changed);
  expect([error.code, error.details.path]).toEqual(["invalid", path]);
  expect(error.message).toContain(message);
});

const sealedRefusals: Refusal[] = [
  ["no weights", version(() => ({ weights: "" })), "version.weights", "the networks have"],
  ["one float less", weights((bytes) => bytes.subarray(4)), "version.weights", "the networks have"],
  ["a weight that is no number", weights(writeNaN), "version.weights", "number 0 is not finite"],
  ["settings that are none", () => ({ settings: { type: "donut" } }), "settings.features", "is required"],
  ["settings that are a text", () => ({ settings: "x" }), "settings", "must be"],
  ["a range of nothing", version(() => ({ to: 0 })), "version.to", "must be after from"],
  [
    "an interval that the training did not choose",
    version(({ settings }) => ({ settings: { ...settings, bucket_interval: "auto" } })),
    "version.settings.bucket_interval",
    "the one that the training chose",
  ],
  ["a date that is none", version(() => ({ to: 1e300 })), "version.to", "must be seconds"],
  [
    "a state with more than facts",
    version(() => ({ summary: { loss: { a: 1 } } })),
    "version.summary.loss",
    "must be one of",
  ],
  [
    "settings of the training that are none",
    version(() => ({ settings: {} })),
    "version.settings.type",
    "is required",
  ],
  [
    "features of another training",
    version(() => ({ settings: makeSettings(["load"]) })),
    "version.parameters.features",
    "has 2 networks",
  ],
  [
    "parameters that are none",
    version(() => ({ parameters: {} })),
    "version.parameters.features",
    "is required",
  ],
];
test.each(sealedRefusals)("rejected even with a fitting checksum: %s", async (_, change, path, message) => {
  const bundle = await exported();
  const error = await refusalOf(sealed({ ...bundle, ...change(bundle) } as ModelBundle));
  expect([error.code, error.details.path, error.message]).toEqual([
    "invalid",
    path,
    expect.stringContaining(message),
  ]);
});

test.each([null, [], "text", 5, {}])("%p is no bundle", async (body) => {
  expect((await refusalOf(body)).details.path).toBe("format");
});

test("a metric that a bucket of this server cannot compute is refused", async () => {
  await world.buckets.put({ name: "b", type: "local" });
  const bundle = await exported();
  const [feature] = makeSettings(["load"]).features;
  const settings = { ...bundle.settings, features: [{ ...feature, metric: "magic" }] };
  expect((await refusalOf(sealed({ ...bundle, settings }))).details.path).toBe("settings.features.0.metric");
});

test("a network is exported under a descriptive file name", async () => {
  const { name, bytes } = await transfer.exportNetwork("m", { feature: "hits" });
  expect(name).toBe("m-00-hits.onnx");
  const { mean } = await scoreWindows(bytes, [[1, 2, 3, 4, 5, 6]]);
  expect(mean).toHaveLength(6);
  const text = Buffer.from(bytes).toString("latin1");
  for (const part of ["bucket_interval", "1970-01-01T01:40:00.000Z", "9.9"]) expect(text).toContain(part);
});

test.each([
  ["an unknown feature", "feature: must be", { feature: "x" }, "invalid"],
  ["several features", "feature: must be one of the version's features: load, hits", {}, "invalid"],
  ["an unknown version", "model m has no version 07", { feature: "hits", version: "07" }, "not_found"],
  ["a version that is no name", "version: must be a name", { feature: "hits", version: 7 }, "invalid"],
])("an export is refused: %s", async (_, message, params, code) => {
  const failure = transfer.exportNetwork("m", params);
  await expect(failure).rejects.toThrow(message);
  await expect(failure).rejects.toMatchObject({ code });
});

test("an error repeats at most 64 characters of the name of a version", async () => {
  const failure = transfer.exportBundle("m", { version: "x".repeat(200) });
  await expect(failure).rejects.toMatchObject({ code: "not_found" });
  await expect(failure).rejects.toThrow(/[^x]x{64}(?!x)/);
});

test("one feature needs no name; without a version there is nothing to export", async () => {
  const settings = { ...makeSettings(["load"]), name: "one" };
  const { store } = world;
  await createTrainedModel(store, { model: { name: "one", settings }, version: makeVersion(["load"]) }, 0);
  expect((await transfer.exportNetwork("one", {})).name).toBe("one-00-load.onnx");
  await createModel(store, { name: "new", settings: { ...settings, name: "new" } }, 0);
  expect(await codeOf(transfer.exportNetwork("new", {}))).toBe("not_trained");
  expect(await codeOf(transfer.exportBundle("new", {}))).toBe("not_trained");
  expect(await codeOf(transfer.exportBundle("nobody", {}))).toBe("not_found");
});

test.each([
  1e20, 3e38, -3e38,
])("weights that are finite, but of which no number comes, are refused: %p", async (weight) => {
  const bundle = await exported();
  const weights = new Float32Array(2 * parameterCount(shape)).fill(weight);
  const text = Buffer.from(weights.buffer).toString("base64");
  const error = await refusalOf(sealed({ ...bundle, version: { ...bundle.version, weights: text } }));
  expect([error.code, error.details.path]).toEqual(["invalid", "version.weights"]);
  expect(error.message).toContain("version.weights: of feature load predict no finite numbers");
});

test("a window longer than the span of the settings is refused before anything is reserved for it", async () => {
  const bundle = await exported();
  const [network] = bundle.version.parameters.features as { shape: object }[];
  const features = [{ ...network, shape: { ...network!.shape, window: 300_000 } }];
  const version = (window: number, settings: object) => {
    const changed = [{ ...features[0], shape: { ...features[0]!.shape, window } }, ...features.slice(1)];
    const parameters = { features: changed };
    return { ...bundle.version, parameters, settings: { ...bundle.version.settings, ...settings } };
  };
  const one = { features: [(bundle.version.settings.features as object[])[0]!] };
  const long = await refusalOf(sealed({ ...bundle, version: version(300_000, { ...one, span: 300_000 }) }));
  expect(long.message).toContain("shape.window: must be a whole number from 1 to 100000");
  const unfit = await refusalOf(sealed({ ...bundle, version: version(7, { ...one, span: 6 }) }));
  expect(unfit.message).toContain(
    "shape.window: must be at most 6, as the span of the version's settings allows",
  );
  const automatic = await refusalOf(sealed({ ...bundle, version: version(121, one) }));
  expect(automatic.message).toContain("shape.window: must be at most 120");
});
