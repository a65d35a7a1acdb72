// Checks of imported versions: every way to break one is rejected by name.
import { expect, test } from "bun:test";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { FeatureNetwork } from "../../../src/models/donut/parameters.ts";
import { parameterCount } from "../../../wasm/donut/layout.ts";
import { errorOf } from "../../core/expect.ts";
import { makeVersion } from "../../support/trained-donut.ts";

const donut = createDonut();
const fine = () => makeVersion(["load", "hits"]);

test("a version of this kind is fine", () => {
  expect(() => donut.checkVersion(fine())).not.toThrow();
});

const forecast = {
  members: [{ method: "seasonal", season: "day", follow: 0.5, weight: 1 }],
  band: { leads: [0], scales: [1], quantiles: [0], lowerTail: 0, upperTail: 0, sample: 3 },
  history: 9,
  nonNegative: false,
  center: 0,
  error: { mae: 1, mase: 1 },
};

test("one that says how it forecasts is fine too", () => {
  const version = fine();
  const features = version.parameters.features.map((network) => ({ ...network, forecast }));
  expect(() => donut.checkVersion({ ...version, parameters: { features } })).not.toThrow();
});

const conditions = { names: ["daytime"], timezone: "UTC", waves: 3 } as const;

test("one with conditions of its network is accepted, too", () => {
  const version = makeVersion(["load"]);
  const network = version.parameters.features[0]!;
  const shape = { ...network.shape, condition: 6 };
  const weights = new Float32Array(parameterCount(shape));
  const features = [{ ...network, shape, conditions, size: weights.length }];
  expect(() => donut.checkVersion({ ...version, weights, parameters: { features } })).not.toThrow();
});

type Change = (network: FeatureNetwork & Record<string, unknown>) => object;
const broken: readonly [path: string, message: string, change: Change][] = [
  ["name", "must be hits, as in the settings", () => ({ name: "other" })],
  ["shape.window", "must be a whole number from 1", ({ shape }) => ({ shape: { ...shape, window: 0 } })],
  ["shape.hidden", "must be a whole number from 1", ({ shape }) => ({ shape: { ...shape, hidden: 1e9 } })],
  ["shape.latent", "must be a whole number from 1", ({ shape }) => ({ shape: { ...shape, latent: 1.5 } })],
  ["size", "which is what its shape needs", ({ shape }) => ({ shape: { ...shape, window: 7 } })],
  ["size", "which is what its shape needs", ({ size }) => ({ size: size - 1 })],
  ["offset", "where the network before it ends", () => ({ offset: 0 })],
  [
    "standardisation.deviation",
    "must be a number above 0",
    () => ({ standardisation: { mean: 0, deviation: 0 } }),
  ],
  [
    "standardisation.mean",
    "must be number",
    () => ({ standardisation: { mean: Number.POSITIVE_INFINITY, deviation: 1 } }),
  ],
  ["tail.quantiles", "must be ascending", ({ tail }) => ({ tail: { ...tail, quantiles: [1, 0] } })],
  ["tail.quantiles.1", "must be number", ({ tail }) => ({ tail: { ...tail, quantiles: [1, "2"] } })],
  ["tail.share", "must be above 0 and at most 1", ({ tail }) => ({ tail: { ...tail, share: 0 } })],
  ["tail.shape", "must be a number from 0", ({ tail }) => ({ tail: { ...tail, shape: -1 } })],
  ["tail.scale", "must be a number above 0", ({ tail }) => ({ tail: { ...tail, scale: 0 } })],
  ["forecastWidening", "must be a number above 0", () => ({ forecastWidening: null })],
  ["forecast.center", "must be number", () => ({ forecast: { ...forecast, center: "a" } })],
  ["forecast.history", "must be at least 1", () => ({ forecast: { ...forecast, history: 0 } })],
  [
    "shape.condition",
    "must be absent, as conditions says",
    ({ shape }) => ({ shape: { ...shape, condition: 2 } }),
  ],
  ["shape.condition", "must be 6, as conditions says", () => ({ conditions })],
  [
    "conditions.names.0",
    "must be one of daytime, weekday",
    () => ({ conditions: { ...conditions, names: ["hour"] } }),
  ],
  ["conditions.names", "at least one", () => ({ conditions: { ...conditions, names: [] } })],
  [
    "conditions.waves",
    "must be a whole number from 1 to 4",
    () => ({ conditions: { ...conditions, waves: 9 } }),
  ],
  [
    "conditions.timezone",
    "must be UTC, as in the settings",
    ({ shape }) => ({
      shape: { ...shape, condition: 6 },
      conditions: { ...conditions, timezone: "Europe/Paris" },
    }),
  ],
  ["extra", "is unknown", () => ({ extra: 1 })],
];

for (const [path, message, change] of broken) {
  test(`refuses a network whose ${path} ${message}`, () => {
    const version = fine();
    const [first, second] = version.parameters.features;
    const parameters = { features: [first!, { ...second!, ...change({ ...second! }) }] };
    const error = errorOf(() => donut.checkVersion({ ...version, parameters }));
    expect([error.code, error.details.path]).toEqual(["invalid", `parameters.features.1.${path}`]);
    expect(error.message).toContain(message);
  });
}

test.each([
  ["weights", "are 147 numbers, the networks have 148", (weights: Float32Array) => weights.slice(1)],
  ["weights", "number 5 is not finite", (weights: Float32Array) => weights.with(5, Number.NaN)],
  ["weights", "number 9 is not finite", (weights: Float32Array) => weights.with(9, Number.POSITIVE_INFINITY)],
] as const)("refuses %s that %s", (path, message, change) => {
  const version = makeVersion(["load"]);
  const error = errorOf(() => donut.checkVersion({ ...version, weights: change(version.weights) }));
  expect(error.details.path).toBe(path);
  expect(error.message).toContain(
    message.replace(/\d{3}/g, (text) => String(Number(text) - 148 + version.weights.length)),
  );
});

test("refuses networks that are not those of the settings", () => {
  const { settings } = makeVersion(["load"]);
  const error = errorOf(() => donut.checkVersion({ ...fine(), settings }));
  expect(error.message).toBe("parameters.features: has 2 networks, the settings 1 features");
});

test("refuses parameters without networks", () => {
  for (const parameters of [{}, { features: [] }, { features: 5 }])
    expect(errorOf(() => donut.checkVersion({ ...fine(), parameters })).details.path).toBe(
      "parameters.features",
    );
});
