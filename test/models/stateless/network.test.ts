// Network in stateless detections and forecasts, with real workers on obvious series.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createQuickTrainer } from "../../../src/models/donut/index.ts";
import { detectBatch } from "../../../src/models/stateless/batch.ts";
import type { DetectInput } from "../../../src/models/stateless/detection.ts";
import { mixExpectations } from "../../../src/models/stateless/expectation.ts";
import { detectLast } from "../../../src/models/stateless/last.ts";
import {
  evaluateByNetwork,
  forecastByNetwork,
  MIN_NETWORK_POINTS,
} from "../../../src/models/stateless/network.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { makeSeries, signal, toInput, wave } from "./support.ts";

setDefaultTimeout(180_000);
const kind = createQuickTrainer({ steps: 300 });
let pool: Pool;
beforeAll(() => {
  pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
});
afterAll(() => pool.stop());
const context = () => ({ compute: pool, signal, onProgress: () => {} });

async function withNetwork(column: Float64Array, learnsLast = true): Promise<DetectInput> {
  const input = toInput(column);
  return { ...input, network: await evaluateByNetwork(kind, { ...input, learnsLast }, context()) };
}
const spiked = (length: number, at: number) =>
  makeSeries(length, (i, noise) => wave(i, 24) + 0.5 * noise + (i === at ? 12 : 0));
const outOf = (direction: Int8Array) => [...direction.keys()].filter((i) => direction[i] !== 0);

describe("the entire series", () => {
  test("a spike is found, and the network has a say in what is expected", async () => {
    const input = await withNetwork(spiked(600, 400));
    const { network, ...alone } = input;
    const together = await detectBatch(input, signal);
    expect(outOf(together.direction)).toEqual([400]);
    const companions = await detectBatch(alone, signal);
    expect(together.expected).not.toEqual(companions.expected);
    expect(together.expected.every(Number.isFinite)).toBe(true);
    expect(network!.expected).toHaveLength(600);
  });

  test("behind its first window the network knows as much as later", async () => {
    const column = makeSeries(
      2000,
      (i) => 10 + 5 * Math.sin((2 * Math.PI * i) / 288) + ((i * 7919) % 13) / 13 + (i === 1500 ? 8 : 0),
    );
    const { network } = await withNetwork(column);
    const errorsIn = (from: number, to: number) =>
      column.slice(from, to).reduce((sum, v, k) => sum + Math.abs(v - network!.expected[from + k]!), 0);
    // The same phase of the wave, one and two rounds later.
    const later = [408, 696].map((from) => errorsIn(from, from + 40));
    expect(errorsIn(120, 160)).toBeLessThan(1.5 * Math.max(...later));
  });

  test("the same series has the same answer", async () => {
    const column = spiked(120, 60);
    const expectedOf = async () => Array.from((await withNetwork(column)).network!.expected);
    expect(await expectedOf()).toEqual(await expectedOf());
  });

  test.each([
    ["a constant", makeSeries(60, () => 5)],
    ["zeros", makeSeries(60, () => 0)],
    ["huge values", makeSeries(60, (_, noise) => 1e100 * Math.sign(noise))],
    ["tiny values", makeSeries(60, (_, noise) => 1e-100 * noise)],
    ["the fewest points", makeSeries(MIN_NETWORK_POINTS, (_, noise) => noise)],
    ["points far apart", makeSeries(4000, (i, noise) => (i % 97 === 0 || i === 3999 ? noise : Number.NaN))],
  ])("of %s every number is one", async (_, column) => {
    const { expected, margin, severity } = await detectBatch(await withNetwork(column), signal);
    for (const list of [expected, margin, severity]) expect(list.every(Number.isFinite)).toBe(true);
  });
});

describe("the last point", () => {
  test.each([
    ["odd", 12, 1],
    ["normal", 0, 0],
  ])("%s", async (_, off, direction) => {
    const column = spiked(500, -1);
    column[499]! += off;
    const found = await detectLast(await withNetwork(column, false), signal);
    expect(found.direction).toBe(direction);
    if (direction === 1) expect(found.score).toBeGreaterThan(60);
    else expect(found.score).toBeLessThan(60);
  });
});

test("a forecast follows the season, and has bands in their order", async () => {
  const column = makeSeries(600, (i, noise) => 50 + wave(i, 24) + 0.3 * noise);
  const request = { column, period: 24, horizon: 24, levels: [0.5, 0.95] };
  const { predicted, bands, relativeError } = await forecastByNetwork(kind, request, context());
  const off = predicted.map((value, k) => Math.abs(value - 50 - wave(600 + k, 24)));
  expect(off.reduce((sum, value) => sum + value / 24, 0)).toBeLessThan(3);
  expect(relativeError).toBeGreaterThan(0);
  const [half, most] = bands;
  for (let k = 0; k < 24; k++) {
    expect(most!.lower[k]!).toBeLessThanOrEqual(half!.lower[k]!);
    expect(most!.upper[k]!).toBeGreaterThanOrEqual(half!.upper[k]!);
  }
});

describe("two expectations", () => {
  const truth = makeSeries(2000, (i, noise) => wave(i, 50) + 0.1 * noise);
  const off = (by: number) => truth.map((value) => value + by);

  test.each([
    ["as good as each other meet halfway", off(1), off(-1), 0],
    ["the nearer one counts more", off(3), off(-1), 0],
    ["what the network does not know, the companions do", off(1), truth.map(() => Number.NaN), 1],
  ])("%s", (_, companions, network, expected) => {
    const mixed = mixExpectations(truth, companions, network);
    expect(mixed[700]! - truth[700]!).toBeCloseTo(expected, 1);
  });

  test("with few points the network counts for less", () => {
    const few = truth.slice(0, 100);
    const mixed = mixExpectations(few, off(1).slice(0, 100), off(-1).slice(0, 100));
    expect(mixed[50]! - few[50]!).toBeGreaterThan(0.7);
  });
});
