// Tables, and formats of numbers and times.
import { describe, expect, test } from "bun:test";
import { formatBytes, formatCount, formatNumber, formatScore } from "../../../src/cli/terminal/format.ts";
import { type Column, clean, renderTable } from "../../../src/cli/terminal/table.ts";
import { timesIn } from "../../../src/cli/terminal/times.ts";

const columns: Column<[string, string]>[] = [
  { title: "NAME", value: ([name]) => name },
  { title: "N", align: "right", value: ([, n]) => n },
];

describe("renderTable", () => {
  test("aligns text left and numbers right", () => {
    const rows: [string, string][] = [
      ["a", "1"],
      ["longer", "100"],
    ];
    expect(renderTable(rows, columns, { colour: false })).toBe("NAME      N\na         1\nlonger  100");
  });

  test("measures display width, not characters", () => {
    const rows: [string, string][] = [
      ["日本", "1"],
      ["abcd", "2"],
      ["e\u0301a", "3"],
    ];
    const lines = renderTable(rows, columns, { colour: false }).split("\n");
    expect(new Set(lines.map((line) => Bun.stringWidth(line))).size).toBe(1);
  });

  test("emphasises titles only where colours are wanted", () => {
    expect(renderTable([], columns, { colour: true })).toBe("\x1b[1mNAME  N\x1b[0m");
  });
});

test.each([
  ["a\x1b[31mb", "a\ufffd[31mb"],
  ["a\nb\tc", "a b c"],
  ["\x07", "\ufffd"],
  ["plain é 日", "plain é 日"],
  ["a\u202edcb\u2069", "a\ufffddcb\ufffd"],
])("%j is shown as %j", (text, shown) => expect(clean(text)).toBe(shown));

test.each([
  [14_987.379_34, "14987.4"],
  [0.000_012_345_678, "0.0000123457"],
  [3, "3"],
  [1e21, "1e+21"],
  [null, "-"],
  [undefined, "-"],
])("the number %p is %p", (value, text) => expect(formatNumber(value)).toBe(text));

test.each([
  [0, "1970-01-01 00:00:00"],
  [1_769_860_800.25, "2026-01-31 12:00:00.250"],
  [null, "-"],
])("the instant %p is %p", (value, text) => expect(timesIn("UTC").format(value)).toBe(text));

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [3_073_024, "3.1 MB"],
  [5e15, "5000.0 TB"],
])("%p bytes are %p", (value, text) => expect(formatBytes(value)).toBe(text));

test("counts have groups, scores one decimal", () => {
  expect([formatCount(999), formatCount(10_320), formatCount(1_234_567)]).toEqual([
    "999",
    "10 320",
    "1 234 567",
  ]);
  expect([formatScore(76.26), formatScore(null)]).toEqual(["76.3", "-"]);
});
