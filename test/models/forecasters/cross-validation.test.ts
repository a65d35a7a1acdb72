// Cross-validated forecasts: those of origins that did not weigh the combination.
import { describe, expect, test } from "bun:test";
import {
  type Arena,
  type Candidate,
  errorsOf,
  measureCandidates,
} from "../../../src/models/forecasters/candidate-errors.ts";
import { combined, weighCandidates } from "../../../src/models/forecasters/competition.ts";
import { crossValidated } from "../../../src/models/forecasters/cross-validation.ts";
import { meanMagnitude } from "../../../src/models/stats/magnitude.ts";
import { arenaOf, both, candidate, drift, leads, level, originsOf, theta } from "./arena.ts";
import { makeNoise } from "./support.ts";

const arena = arenaOf(originsOf(13));
/** Origins of the first part of five. */
const isFirst = (k: number) => k < 3;

function validate(...candidates: readonly Candidate[]): readonly Float64Array[] {
  const forecasts = forecastsOf(arena, candidates);
  return crossValidated(measureCandidates(arena, candidates), { forecasts, choose: weighCandidates });
}

/** Forecasts of the combination that all origins weigh. */
const forecastsOf = (own: Arena, candidates: readonly Candidate[]) =>
  combined(weighCandidates(measureCandidates(own, candidates)), own);

const errorsBy = (forecasts: readonly Float64Array[]) =>
  errorsOf(arena, forecasts).map((own) => meanMagnitude(own));
const errorOf = (forecasts: readonly Float64Array[]) => meanMagnitude(errorsBy(forecasts));

describe("a part of the origins", () => {
  test("is forecast with the weights of the others", () => {
    const usual = both(8);
    const lucky = both((k) => (isFirst(k) ? 6 : 80));
    const errors = errorsBy(validate(candidate(level, lucky, arena), candidate(drift, usual, arena)));
    expect(errors).toEqual(errors.map(() => expect.closeTo(8, 6)));
  });

  test("is forecast at all leads, in the order of the origins", () => {
    const forecasts = validate(
      candidate(level, () => 0, arena),
      candidate(theta, both(5), arena),
    );
    expect(forecasts.map((own) => [...own])).toEqual(
      arena.plan.origins.map((origin) => leads.map((lead) => 10 * (origin + lead))),
    );
  });

  test("errs by at most half more than with weights of its own", () => {
    // Before the fourth origin only the one member forecasts, and of it nothing else is known.
    const early = candidate(
      level,
      both((k) => (isFirst(k) ? 4 : 400)),
      arena,
    );
    const late = candidate(drift, (k, lead) => (isFirst(k) ? 100 : both(1)(k, lead)), arena);
    const own = errorsBy(forecastsOf(arena, [early, late]));
    const validated = errorsBy(validate(early, late));
    for (const k of [0, 1, 2]) expect(validated[k]!).toBeLessThanOrEqual(1.5 * own[k]! + 1e-9);
  });
});

test("errors of the best of many by chance are larger than its own weights say", () => {
  let [own, validated] = [0, 0];
  for (let seed = 1; seed <= 20; seed++) {
    const noise = makeNoise(seed);
    // Errors of an origin are alike, those of members are independent.
    const candidates = [level, drift, theta].map((member) => {
      const sizes = arena.plan.origins.map(() => 10 * noise());
      return candidate(member, (k) => sizes[k]!, arena);
    });
    own += errorOf(forecastsOf(arena, candidates));
    validated += errorOf(validate(...candidates));
  }
  expect(validated).toBeGreaterThan(1.05 * own);
});

test("of too few origins all weigh", () => {
  const few = arenaOf(originsOf(9));
  const candidates = [
    candidate(
      level,
      both((k) => (k < 2 ? 6 : 80)),
      few,
    ),
    candidate(drift, both(8), few),
  ];
  const forecasts = forecastsOf(few, candidates);
  const measured = measureCandidates(few, candidates);
  expect(crossValidated(measured, { forecasts, choose: weighCandidates })).toBe(forecasts);
});
