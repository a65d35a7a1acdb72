// Comparison of outputs: tolerated and reported differences.
import { expect, test } from "bun:test";
import { findDifference } from "./likeness.ts";

const chart = (line: string, marks: string) => `  10k ┤${line}\n      │${line}\nanomaly │${marks}`;

test.each([
  ["the same", "5 of 5 found", "5 of 5 found"],
  ["numbers near each other", "threshold 47.1, F1 0.75", "threshold 52, F1 0.7"],
  ["rows that changed places", "47 in force\n50", "50\n52 in force"],
  [
    "a chart whose line and marks moved a little",
    chart("⡇".repeat(10), "   ▀▀▀"),
    chart(`⠁${"⡇".repeat(9)}`, "  ▀▀ "),
  ],
  ["a chart of another scale", chart("⡇", "▀").replace("10k", "20k"), chart("⡇", "▀")],
])("alike: %s", (_what, shown, printed) => {
  expect(findDifference(shown, printed)).toBeUndefined();
});

test.each([
  ["another word", "5 of 5 found", "5 of 5 missed", "words"],
  ["nothing at all", "5 of 5 found", "", "words"],
  ["a number far away", "5 of 50 found", "5 of 20 found", "number"],
  ["a number that is missing", "1 2 found", "1 found", "number"],
  ["a chart without marks", chart("⡇".repeat(10), "   ▀▀▀"), chart("⡇".repeat(10), ""), "marks"],
  ["a chart with more marks", chart("⡇".repeat(10), "▀"), chart("⡇".repeat(10), "▀  ▀▀▀▀"), "marks"],
  ["a chart with half the line", chart("⡇".repeat(10), "▀▀"), chart("⡇".repeat(5), "▀▀"), "cells"],
  ["no chart", chart("⡇⡇", "▀"), "", "cells"],
])("not alike: %s", (_what, shown, printed, reason) => {
  expect(findDifference(shown, printed)).toMatch(new RegExp(reason));
});
