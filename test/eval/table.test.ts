// Tables of the report.
import { expect, test } from "bun:test";
import { formatMean, renderTable } from "./table.ts";

test("columns are as wide as they need to be, numbers stand right", () => {
  const rows = [
    ["moving z-score", "0.5"],
    ["x", "12.25"],
  ];
  expect(renderTable(["detector", "F1"], rows).split("\n")).toEqual([
    "| detector       |    F1 |",
    "|----------------|------:|",
    "| moving z-score |   0.5 |",
    "| x              | 12.25 |",
  ]);
});

test("a row that does not fit its head is refused", () => {
  expect(() => renderTable(["a", "b"], [["1"]])).toThrow("1 cells for 2 columns");
});

test.each([
  [[], "-"],
  [[1.25], "1.3"],
  [[2, Number.POSITIVE_INFINITY], "none"],
  // Of 1, 2, 3 the mean is 2 and the sample deviation 1.
  [[1, 2, 3], "2.0 ± 1.0"],
])("mean of %p is %p", (values, expected) => {
  expect(formatMean(values, 1)).toBe(expected);
});
