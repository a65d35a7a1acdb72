// Groups of leads: bounds, and values that change evenly from group to group.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { groupOf, groupsOf, leadGroups, valueAt } from "../../../src/models/forecasters/lead-groups.ts";

test.each([
  ["a day of hours", 24, { season: 6, far: 24 }],
  ["a day of minutes", 1440, { season: 360, far: 1440 }],
  ["one interval", 1, { season: 1, far: 1 }],
])("%s: a quarter of it is near", (_, horizon, bounds) => {
  expect(groupsOf(horizon)).toEqual(bounds);
});

test.each([
  [0, "near"],
  [5, "near"],
  [6, "season"],
  [23, "season"],
  [24, "far"],
  [1000, "far"],
] as const)("lead %d is %s", (lead, group) => {
  expect(leadGroups[groupOf({ season: 6, far: 24 }, lead)]).toBe(group);
});

test.each([
  ["the near value up to the middle of its group", 0, 10],
  ["and at it", 3, 10],
  ["half of the way", 9, 15],
  ["the season's at its middle", 15, 20],
  ["a third of the way", 22, 30],
  ["the far one from half a day after its first lead", 36, 50],
  ["and for ever", 10_000, 50],
] as const)("at a lead: %s", (_, lead, value) => {
  expect(valueAt({ season: 6, far: 24 }, [10, 20, 50], lead)).toBeCloseTo(value, 9);
});

test("shares that add up to 1 in each group do so at every lead", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1440 }),
      fc.array(share, { minLength: 3, maxLength: 3 }),
      fc.nat(5000),
      (horizon, own, lead) => {
        const bounds = groupsOf(horizon);
        const rest = own.map((value) => 1 - value);
        expect(valueAt(bounds, own, lead) + valueAt(bounds, rest, lead)).toBeCloseTo(1, 9);
      },
    ),
  );
});
