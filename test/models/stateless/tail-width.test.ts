// Width of the band of heavy tails: what is far out again and again is usual; separate anomalies and bursts are not.
import { describe, expect, test } from "bun:test";
import { detectBatch } from "../../../src/models/stateless/batch.ts";
import { tailFactor } from "../../../src/models/stateless/tail-width.ts";
import { makeSeries, signal, toInput } from "./support.ts";

const sizesOf = (make: (i: number, noise: number) => number) => makeSeries(4000, make).map(Math.abs);

describe("the factor", () => {
  test.each([
    ["normal noise", (_i: number, noise: number) => noise],
    ["noise with anomalies of many sizes", (i, noise) => (i % 150 === 7 ? 8 + i / 100 : noise)],
    ["noise with a tenth of anomalies", (i, noise) => (i % 10 === 7 ? 40 : noise)],
    ["noise with a part that is noisier", (i, noise) => (i >= 2000 && i < 2100 ? 4 * noise : noise)],
    ["noise with dips that last", (i, noise) => (i % 300 < 5 ? 5 : 0.9 * noise)],
    ["nothing", () => Number.NaN],
  ] as [string, (i: number, noise: number) => number][])("is 1 of %s", (_name, make) => {
    expect(tailFactor(sizesOf(make))).toBe(1);
  });

  test.each([
    ["an exponential tail", (_i: number, noise: number) => noise * noise * 1.5],
    ["a lognormal tail", (_i: number, noise: number) => Math.exp(noise) - 1],
  ] as [string, (i: number, noise: number) => number][])("leaves out few points of %s", (_name, make) => {
    const sizes = sizesOf(make);
    const limit = 3.8 * tailFactor(sizes);
    expect(sizes.filter((size) => size > 3.8).length).toBeGreaterThan(60);
    expect(sizes.filter((size) => size > limit).length).toBeLessThan(6);
  });
});

test("a hit rate that falls below its band again and again has few points outside", async () => {
  const rates = makeSeries(4000, (_i, noise) => 97 - Math.abs(1.2 * noise));
  const { direction } = await detectBatch(toInput(rates, { period: 0 }), signal);
  expect(direction.filter((one) => one !== 0).length).toBeLessThan(4);
});

test("of latencies an incident alone is found", async () => {
  const isIncident = (i: number) => i >= 2000 && i < 2010;
  const latencies = makeSeries(4000, (i, noise) =>
    isIncident(i) ? 600 + 20 * noise : 20 + 30 * Math.exp(0.7 * noise),
  );
  const { direction } = await detectBatch(toInput(latencies, { period: 0 }), signal);
  const found = [...direction.keys()].filter((i) => direction[i] !== 0);
  expect(found.filter(isIncident)).toHaveLength(10);
  expect(found.length).toBeLessThan(13);
});
