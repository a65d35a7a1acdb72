// Errors of candidates by group of leads: those of some of the origins are as if there were no others.
import { describe, expect, test } from "bun:test";
import { errorsOf, measureCandidates } from "../../../src/models/forecasters/candidate-errors.ts";
import { weighCandidates } from "../../../src/models/forecasters/competition.ts";
import { arenaOf, both, candidate, column, drift, leads, level, originsOf, theta } from "./arena.ts";
import { makeNoise } from "./support.ts";

const origins = originsOf(12);
const arena = arenaOf(origins);

describe("errors", () => {
  const { groups } = measureCandidates(arena, [candidate(level, (k, lead) => k - lead, arena)]);

  test("are observed minus forecast, by group and origin", () => {
    const rows = groups.map(({ errors }) => [...errors[0]!.rows[3]!]);
    expect(rows).toEqual([
      [-3, -2],
      [-1, 0, 1, 2, 3, 4],
      [5, 6, 7, 8, 9, 10, 11, 12],
    ]);
  });

  test("have a median, a mean magnitude and a number", () => {
    const [near, season] = groups.map(({ errors }) => errors[0]!);
    expect([near!.medians[3], near!.sizes[3], near!.counts[3]]).toEqual([-2.5, 2.5, 2]);
    expect([season!.medians[3], season!.sizes[3], season!.counts[3]]).toEqual([1.5, 11 / 6, 6]);
  });

  test("are missing beyond the data, and where a break lies between", () => {
    const short = arenaOf(origins, {
      column: column.subarray(0, 70),
      isSpoiled: (origin, lead) => origin === 60 && lead === 1,
    });
    const measured = measureCandidates(short, [candidate(level, both(1), short)]);
    expect(measured.groups.map(({ errors }) => errors[0]!.counts[0])).toEqual([1, 6, 2]);
    expect(measured.groups.map(({ isObserved }) => isObserved[1])).toEqual([false, false, false]);
  });

  test("of some origins are those of forecasts from them", () => {
    const forecasts = candidate(level, both(1), arena).forecasts.slice(4, 6);
    const own = errorsOf(arena, forecasts, [4, 5]);
    expect(own.map((row) => [...row])).toEqual([leads.map(() => -1), leads.map(() => 1)]);
  });
});

test("weights by some of the origins are those of a backtest without the others", () => {
  const noise = makeNoise(3);
  // One has a bias, which is corrected by the origins that weigh alone.
  const candidates = [level, drift, theta].map((member, m) => {
    const sizes = origins.map(() => leads.map(() => 10 * noise() + (m === 2 ? 30 : 0)));
    return candidate(member, (k, lead) => sizes[k]![leads.indexOf(lead)]!, arena);
  });
  const part = [0, 1, 4, 5, 7, 8, 10];
  const alone = candidates.map((own) => ({ ...own, forecasts: part.map((o) => own.forecasts[o]!) }));
  const few = arenaOf(part.map((o) => origins[o]!));
  const weigh = (own: ReturnType<typeof weighCandidates>) =>
    own.map(({ member, shares, biases }) => ({ member, shares, biases }));
  expect(weigh(weighCandidates(measureCandidates(arena, candidates), part))).toEqual(
    weigh(weighCandidates(measureCandidates(few, alone))),
  );
});
