// Growth of errors with the lead: none of noise, that of a walk, and in between where few forecasts tell.
import { expect, test } from "bun:test";
import { fitGrowth, type LeadErrors } from "../../../src/models/forecasters/error-growth.ts";
import { leadsTo } from "./support.ts";

const COUNT = 12;
const errorsOf = (meanAt: (lead: number) => number, count = COUNT): LeadErrors[] =>
  leadsTo(COUNT).map((lead) => ({ lead, mean: meanAt(lead), count, logUnit: 0 }));
const risesOver = (meanAt: (lead: number) => number, span: number) => {
  const { errorAt } = fitGrowth(errorsOf(meanAt, span), span);
  return errorAt(4 * COUNT - 1) / errorAt(0);
};

test.each([
  ["none of noise", () => 3, 1, 1.3],
  ["by the root of the lead of a walk", (lead: number) => Math.sqrt(1 + lead), 6, 8],
] as const)("many forecasts: %s", (_, meanAt, least, most) => {
  expect(risesOver(meanAt, 100 * COUNT)).toBeWithin(least, most);
});

test("few forecasts: of noise they may grow, of a walk less than they did", () => {
  const [noise, walk] = [() => 3, (lead: number) => Math.sqrt(1 + lead)].map((own) => risesOver(own, COUNT));
  expect(noise).toBeGreaterThan(risesOver(() => 3, 100 * COUNT));
  expect(walk).toBeGreaterThan(noise!);
});

test("the units of the errors are those of the result, however small or large", () => {
  for (const unit of [1e-300, 1, 1e300]) {
    const { errorAt } = fitGrowth(
      errorsOf(() => unit),
      COUNT,
    );
    expect(errorAt(0) / unit).toBeWithin(0.5, 1.01);
  }
});

test("errors of one lead are as likely at any growth", () => {
  const { errorAt } = fitGrowth([{ lead: 0, mean: 2, count: 5, logUnit: 0 }], 0);
  expect(errorAt(0)).toBeCloseTo(2, 10);
});

test("errors that are equal in their own units are more likely in these", () => {
  const plain = fitGrowth(
    errorsOf(() => 2),
    COUNT,
  );
  const larger = fitGrowth(
    errorsOf(() => 2).map((own) => ({ ...own, logUnit: 1 })),
    COUNT,
  );
  expect(larger.likelihood).toBeLessThan(plain.likelihood);
});
