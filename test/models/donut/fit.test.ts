// Fit on a long training range: everything but the network is fitted to its end; with a fake network.
import { expect, test } from "bun:test";
import type { Timeline } from "../../../src/models/detectors/timeline.ts";
import { fitFeature } from "../../../src/models/donut/fit.ts";
import { donutDefaults } from "../../../src/models/donut/options.ts";
import type { SearchResult } from "../../../src/models/donut/search.ts";
import type { Compute } from "../../../src/models/kind.ts";
import { measure, standardise } from "../../../src/models/series.ts";
import { parameterCount } from "../../../wasm/donut/layout.ts";
import type { Task } from "../../../wasm/protocol.ts";
import { createRandom } from "../../../wasm/random.ts";

const RECENT = 100_000;
const MINUTE = 60_000;
const shape = { window: 8, hidden: 4, latent: 2 };

/** Expects zero everywhere, with a deviation of one. */
function createFlatCompute(): { compute: Compute; lengths: number[] } {
  const lengths: number[] = [];
  const answer = (task: Task) => {
    const { values } = task.series;
    if (task.kind === "forecast") {
      const zeros = new Float32Array(task.horizon);
      return { mean: zeros, deviation: zeros.slice().fill(1) };
    }
    lengths.push(values.length);
    const nll = values.map((value) => value ** 2 / 2);
    return {
      mean: values.slice().fill(0),
      deviation: values.slice().fill(1),
      nll,
      rejected: new Uint8Array(0),
    };
  };
  return { compute: { trainingLanes: 1, run: async (task) => answer(task) as never }, lengths };
}

interface FitOptions {
  readonly offsetAt?: Timeline["offsetAt"];
  readonly network?: (found: SearchResult) => SearchResult | Promise<SearchResult>;
}

async function fit(
  column: Float64Array,
  { offsetAt = () => 0, network = (found) => found }: FitOptions = {},
) {
  const { compute, lengths } = createFlatCompute();
  const standardisation = measure(column);
  const timeline = { startAt: 0, intervalMs: MINUTE, offsetAt };
  const feature = { name: "f", metric: "avg", field: "v" };
  const grid = { ...timeline, length: column.length, columns: { f: column } };
  const settings = { name: "m", type: "donut" as const, bucket_interval: "1m", features: [feature] };
  const params = new Float32Array(parameterCount(shape));
  const fitted = await fitFeature(
    {
      input: { settings, grid },
      feature,
      timeline,
      observed: column,
      column,
      baseline: {},
      normal: new Uint8Array(column.length),
      leftOut: new Float64Array(column.length).fill(Number.NaN),
      standardisation,
      series: standardise(column, standardisation),
      validationFrom: Math.floor(0.7 * column.length),
      options: donutDefaults,
      window: shape.window,
      found: network({ shape, params, loss: 0 }),
    },
    { compute, signal: new AbortController().signal, onProgress: () => {} },
  );
  return { fitted, lengths };
}

test("what lies further back than the last 100 000 intervals moves nothing but the network", async () => {
  const random = createRandom(5);
  const recent = Float64Array.from(
    { length: RECENT },
    (_, i) => Math.sin((2 * Math.PI * i) / 1440) + random.normal(),
  );
  const older = Float64Array.from({ length: 20 * 1440 }, () => 50 + random.normal());
  const { fitted, lengths } = await fit(Float64Array.from([...older, ...recent]));
  const { values } = fitted.ensemble!.seasonal;
  expect(Math.max(...values)).toBeLessThan(3);
  expect(fitted.forecast!.center).toBeLessThan(1);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(RECENT);
});

const column = Float64Array.from({ length: 600 }, (_, i) => Math.sin(i / 20) + (i % 3) / 10);

test("the detectors are fitted while the network is trained, with the same result", async () => {
  const { promise, resolve } = Promise.withResolvers<SearchResult>();
  let lookups = 0;
  const waiting = fit(column, {
    offsetAt: () => {
      lookups++;
      return 0;
    },
    // Found once the detectors have asked for the local time of the points.
    network: (found) => {
      const wait = () => (lookups < column.length ? setImmediate(wait) : resolve(found));
      wait();
      return promise;
    },
  });
  expect((await waiting).fitted).toEqual((await fit(column)).fitted);
});

test("a search that fails is the error of the fit", async () => {
  const failing = fit(column, { network: () => Promise.reject(new Error("diverged")) });
  await expect(failing).rejects.toThrow("diverged");
});
