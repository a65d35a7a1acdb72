// Error bands: calibrated at every level.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { edgesOf, fitBand, scaleAt } from "../../../src/models/forecasters/error-band.ts";
import { leadsTo, makeNoise } from "./support.ts";

const leads = leadsTo(24);
/** Origins as far apart as the forecasts are long: every one is worth a whole one. */
const planOf = (count: number) => ({
  horizon: 24,
  leads,
  origins: Array.from({ length: count }, (_, k) => 24 * k),
});

function fit(count: number, error: (lead: number) => number) {
  return fitBand(
    Array.from({ length: count }, () => Float64Array.from(leads, error)),
    planOf(count),
  )!;
}

test("nothing came: there is no band", () => {
  expect(fitBand([Float64Array.from(leads, () => Number.NaN)], planOf(1))).toBeUndefined();
});

test("no error at all: a band without width", () => {
  const band = fit(5, () => 0);
  const { lower, upper } = edgesOf(band, 0.95);
  expect((upper - lower) * scaleAt(band, 7)).toBeLessThan(1e-300);
  expect(scaleAt(band, 7)).toBeGreaterThan(0);
});

describe("of normal errors", () => {
  const noise = makeNoise(7);
  const band = fit(400, () => 3 * noise());

  test.each([
    [0.5, 0.674],
    [0.68, 0.994],
    [0.8, 1.282],
    [0.95, 1.96],
    [0.99, 2.576],
    // Beyond the sample by the tail: wider than the normal one, never narrower.
    [0.9999, 3.891],
  ])("a level of %p reaches %p deviations", (level, deviations) => {
    const { lower, upper } = edgesOf(band, level);
    for (const edge of [-lower, upper]) {
      const reached = (edge * scaleAt(band, 12)) / 3;
      expect(reached).toBeGreaterThan(0.9 * deviations);
      expect(reached).toBeLessThan(level > 0.99 ? 2 * deviations : 1.12 * deviations);
    }
  });

  test("a higher level is never narrower, and every edge is a number", () => {
    const level = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(level, level, (a, b) => {
        const [narrow, wide] = [edgesOf(band, Math.min(a, b)), edgesOf(band, Math.max(a, b))];
        expect(narrow.lower).toBeLessThanOrEqual(0);
        expect(narrow.upper).toBeGreaterThanOrEqual(0);
        expect(wide.lower).toBeLessThanOrEqual(narrow.lower);
        expect(wide.upper).toBeGreaterThanOrEqual(narrow.upper);
        expect(Number.isFinite(wide.upper - wide.lower)).toBe(true);
      }),
    );
  });
});

test("errors to one side make a band to that side", () => {
  const noise = makeNoise(8);
  const { lower, upper } = edgesOf(
    fit(100, () => Math.abs(noise())),
    0.9,
  );
  expect(Math.abs(lower)).toBe(0);
  expect(upper).toBeGreaterThan(1);
});

describe("few forecasts leave the spread unsure", () => {
  const noise = makeNoise(9);
  const walks = Array.from({ length: 24 }, () => {
    let error = 0;
    return Float64Array.from(leads, () => (error += noise()));
  });

  test("the band is wider where they overlap", () => {
    const apart = fitBand(walks, planOf(24))!;
    const close = fitBand(walks, { ...planOf(24), origins: leadsTo(24) })!;
    expect(apart.sample).toBeGreaterThan(20);
    expect(close.sample).toBeLessThan(4);
    expect(edgesOf(close, 0.95).upper / edgesOf(apart, 0.95).upper).toBeGreaterThan(1.3);
  });

  test("less so of noise, whose intervals are independent of each other", () => {
    const errors = walks.map((own) => own.map(() => noise()));
    const plan = { ...planOf(24), origins: leadsTo(24).map((k) => 6 * k) };
    expect(fitBand(errors, plan)!.sample).toBeGreaterThan(1.3 * fitBand(walks, plan)!.sample);
  });

  test("which side errs more is not told by one of them", () => {
    const above = [Float64Array.from(leads, () => Math.abs(noise()))];
    const { lower, upper } = edgesOf(fitBand(above, planOf(1))!, 0.9);
    expect(-lower / upper).toBeGreaterThan(0.9);
  });
});

describe("of a level that grew tenfold", () => {
  const noise = makeNoise(12);
  const levels = Array.from({ length: 40 }, (_, k) => 10 ** ((k - 39) / 39));
  const reach = (size: (level: number) => number) => {
    const errors = levels.map((level) => Float64Array.from(leads, () => size(level) * noise()));
    const band = fitBand(errors, planOf(40), { levels })!;
    return edgesOf(band, 0.9).upper * scaleAt(band, 12);
  };

  test("errors that are a share of it are as large as at the present level", () => {
    expect(reach((level) => level)).toBeWithin(1.4, 2);
  });

  test("errors of one size stay as they are", () => {
    expect(reach(() => 1)).toBeWithin(1.4, 2);
  });
});

describe("by how far ahead", () => {
  const noise = makeNoise(10);
  const band = fit(200, (lead) => (1 + lead) * noise());

  test("later intervals err more, without jumps", () => {
    expect(scaleAt(band, 23)).toBeGreaterThan(1.3 * scaleAt(band, 0));
    for (let lead = 2; lead < 60; lead++)
      expect(scaleAt(band, lead) / scaleAt(band, lead - 1)).toBeWithin(0.99, (1.15 * (lead + 1)) / lead);
  });

  test.each([
    ["slowly where their growth is unknown", undefined, 7 ** 0.08],
    ["by the root of the lead", 1, Math.sqrt(7)],
    ["slower at first beside noise", 0.1, Math.sqrt(1.6)],
    ["not at all", 0, 1],
  ])("beyond what was measured they grow %s", (_, growth, factor) => {
    const { growth: _growth, ...measured } = band;
    const grown = { ...measured, ...(growth !== undefined && { growth }) };
    expect(scaleAt(grown, 7 * 24 - 1) / scaleAt(grown, 23)).toBeCloseTo(factor, 10);
  });

  test("between the leads that were looked at in a straight line", () => {
    const sparse = { ...band, leads: [0, 10, 20], scales: [1, 2, 4] };
    expect([0, 5, 10, 15, 20].map((lead) => scaleAt(sparse, lead))).toEqual([1, 1.5, 2, 3, 4]);
  });
});

test("leads are stored closer together near the origin, the first and the last among them", () => {
  const wide = leadsTo(1000);
  const noise = makeNoise(11);
  const errors = Array.from({ length: 20 }, () => Float64Array.from(wide, noise));
  const band = fitBand(errors, { horizon: 24, leads: wide, origins: leadsTo(20) })!;
  expect(band.leads.length).toBeLessThan(50);
  expect(band.leads.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(band.leads.at(-1)).toBe(999);
  expect(band.scales).toHaveLength(band.leads.length);
  for (const [i, lead] of band.leads.slice(1, -1).entries())
    expect(lead - band.leads[i]!).toBeLessThanOrEqual(Math.max(1, Math.ceil(0.15 * band.leads[i]!)));
});

test("what the whole history tells counts the more, the fewer forecasts there were", () => {
  const known = { errors: leads.map(() => 1), sample: 50 };
  const scaleOf = (count: number) => {
    const errors = Array.from({ length: count }, (_, k) => {
      const noise = makeNoise(k + 1);
      return Float64Array.from(leads, () => 10 * noise());
    });
    return fitBand(errors, planOf(count), { known })!.scales[0]! / fitBand(errors, planOf(count))!.scales[0]!;
  };
  expect(scaleOf(2)).toBeLessThan(0.3);
  expect(scaleOf(2)).toBeGreaterThan(0.05);
  expect(scaleOf(100)).toBeGreaterThan(0.85);
});
