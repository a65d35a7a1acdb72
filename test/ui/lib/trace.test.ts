// Paths of columns: gaps, lone values, shown cells, areas of whole pixels.
import { expect, test } from "bun:test";
import { traceArea, traceLine } from "../../../src/ui/lib/trace.ts";

/** A path that keeps its points, and cells of which `x` is ten times the time and `y` the value. */
function record(times: readonly number[], [start, end] = [0, times.length]) {
  const points: string[] = [];
  const path = {
    moveTo: (x: number, y: number) => void points.push(`M${x} ${y}`),
    lineTo: (x: number, y: number) => void points.push(`L${x} ${y}`),
  };
  const cells = {
    times,
    start: start!,
    end: end!,
    x: (time: number) => 10 * time,
    y: (value: number) => value,
  };
  return { points, path, cells };
}

test("a line has gaps, and a lone value is a short stroke", () => {
  const { points, path, cells } = record([0, 1, 2, 3, 4]);
  traceLine(path, cells, [5, 6, null, 7, null]);
  expect(points).toEqual(["M0 5", "L10 6", "M30 7", "L30.5 7"]);
});

test("only the shown cells are drawn", () => {
  const { points, path, cells } = record([0, 1, 2, 3], [1, 3]);
  traceLine(path, cells, [1, 2, 3, 4]);
  expect(points).toEqual(["M10 2", "L20 3"]);
});

test("an area goes there and back between gaps, rounded", () => {
  const { points, path, cells } = record([0, 1, 2, 3]);
  traceArea(
    path,
    cells,
    [
      [1.2, 1, null, 1],
      [5, 6.4, 9, 8],
    ],
    Math.round,
  );
  expect(points).toEqual(["M0 5", "L10 6", "L10 1", "L0 1", "M30 8", "L30 1"]);
});
