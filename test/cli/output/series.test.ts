// Table of a series: units in the titles of columns, and in the sentence on a constraint.
import { expect, test } from "bun:test";
import { describeConstraint, valueColumns } from "../../../src/cli/output/series.ts";

const used = { feature: "used", type: "high", threshold: 7e9, first_date: null } as const;
const constraint = { ...used, first_date_range: { earliest: null, latest: null } };

test("a constraint is in the unit of its feature; without one the number is as given", () => {
  expect(describeConstraint(constraint, { used: "B" })).toBe("used exceeds 7 GB: not in this range");
  expect(describeConstraint(constraint, undefined)).toBe("used exceeds 7000000000: not in this range");
});

test("the title of a column has the unit, its key and its numbers have none", () => {
  const [shown] = valueColumns({ timestamps: [0], observed: { used: [7e9] }, units: { used: "B" } });
  expect([shown!.title, shown!.key, shown!.value(0)]).toEqual(["USED (B)", "used", "7000000000"]);
});
