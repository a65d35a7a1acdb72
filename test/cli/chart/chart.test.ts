// Charts: layout, width of lines, gaps, marks.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { scaleValues, tickTimes } from "../../../src/cli/chart/axis.ts";
import { createCanvas } from "../../../src/cli/chart/canvas.ts";
import { type ChartInput, renderChart } from "../../../src/cli/chart/chart.ts";

const HOUR = 3600;
const midnight = Date.UTC(2014, 10, 2) / 1000;
const hours = (count: number) => Array.from({ length: count }, (_, i) => midnight + i * HOUR);
const linesOf = (input: ChartInput, size = { width: 40, height: 5 }) => renderChart(input, size).split("\n");
const braille = /[\u2801-\u28ff]/;

describe("renderChart", () => {
  test("draws a rise over its band, with scale, marks and time", () => {
    const times = hours(24);
    const observed = times.map((_, i) => i * 1000);
    const band = { lower: observed.map((v) => v - 2000), upper: observed.map((v) => v + 2000) };
    const spans = [{ from: midnight + 6 * HOUR, to: midnight + 12 * HOUR }];
    const marks = [{ name: "flagged", spans, flags: true }];
    expect(linesOf({ times, observed, band, marks })).toEqual([
      "    40k ┤",
      "    20k ┤                   ░░⢀⣀⣀⣀⡠⠤⠤⠤⠒░",
      "        │   ░⢀⣀⣀⣀⡠⠤⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉⠉⠁░░",
      "      0 ┤⠒⠉⠉⠉⠁░░░░",
      "   -20k ┤",
      "flagged │       ▀▀▀▀▀▀▀▀▀",
      "        └┬──────────────┬───────────────",
      "         Nov 2          12:00",
    ]);
  });

  test("dots what was expected, under the line and over the band", () => {
    const times = hours(24);
    const observed = times.map((_, i) => (i < 12 ? i * 1000 : null));
    const expected = times.map((_, i) => i * 1000 - 1000);
    const band = { lower: expected.map((v) => v - 4000), upper: expected.map((v) => v + 4000) };
    expect(linesOf({ times, observed, expected, band }).slice(0, 5)).toEqual([
      " 40k ┤",
      " 20k ┤                   ░░░░░░··░··░··░",
      "     │  ░░░⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤⠒░···░··░·░░░░░░",
      "   0 ┤⠒⠉⠉⠉⠉·░·░░░░░░",
      "-20k ┤",
    ]);
  });

  test("leaves a gap where nothing was observed", () => {
    const times = hours(30);
    const observed = times.map((_, i) => (i >= 10 && i < 20 ? null : 5));
    const [row = ""] = linesOf({ times, observed }, { width: 36, height: 5 }).filter((line) =>
      braille.test(line),
    );
    const drawn = row.slice(row.search(/[│┤]/) + 1);
    expect(drawn).toMatch(/^[\u2801-\u28ff]+ {9,}[\u2801-\u28ff]+$/);
  });

  test("draws a lone point between gaps, and a constant in the middle", () => {
    const times = hours(9);
    const observed = times.map((_, i) => (i === 4 ? 7 : null));
    const rows = linesOf({ times, observed }).slice(0, 5);
    expect(rows.findIndex((line) => braille.test(line))).toBe(2);
  });

  test("marks a span shorter than a column, cuts one at the edges, leaves out one beyond", () => {
    const times = hours(1000);
    const observed = times.map(() => 1);
    const row = (from: number, to: number) => {
      const spans = [{ from: midnight + from * HOUR, to: midnight + to * HOUR }];
      const lines = linesOf({ times, observed, marks: [{ name: "event", spans }] });
      return lines.find((line) => line.startsWith("event"))!;
    };
    expect(row(500, 501)).toBe(`event │${" ".repeat(16)}▀`);
    expect(row(-100, 5000)).toBe(`event │${"▀".repeat(33)}`);
    expect(row(2000, 2001)).toBe("event │");
  });

  test("says so where there is nothing to draw", () => {
    expect(renderChart({ times: [], observed: [] }, { width: 40, height: 5 })).toBe("(nothing to draw)");
    expect(renderChart({ times: [0], observed: [null] }, { width: 40, height: 5 })).toBe("(nothing to draw)");
  });

  test("colours only where asked; the text is the same", () => {
    const times = hours(24);
    const observed = times.map((_, i) => i);
    const marks = [{ name: "flagged", spans: [{ from: midnight, to: midnight + HOUR }], flags: true }];
    const size = { width: 40, height: 5 };
    const plain = renderChart({ times, observed, marks }, size);
    const coloured = renderChart({ times, observed, marks }, { ...size, colour: true });
    expect(plain).not.toContain("\x1b");
    expect(coloured).toContain("\x1b[31m");
    expect(Bun.stripANSI(coloured)).toBe(plain);
  });

  test("keeps its size for any values", () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
    );
    const series = fc.array(value, { minLength: 1, maxLength: 300 });
    const sizes = fc.record({
      width: fc.integer({ min: 40, max: 160 }),
      height: fc.integer({ min: 2, max: 30 }),
    });
    fc.assert(
      fc.property(series, sizes, (observed, size) => {
        const text = renderChart({ times: hours(observed.length), observed }, size);
        if (observed.every((item) => item === null)) return;
        const lines = text.split("\n");
        expect(lines.length).toBe(size.height + 2);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(size.width);
        expect(braille.test(text)).toBe(true);
      }),
    );
  });
});

describe("axes", () => {
  test.each([
    [0, 10, 3, ["0", "5", "10"]],
    [-3, 27_000, 4, ["-10k", "0", "10k", "20k", "30k"]],
    [1_200_000, 1_900_000, 3, ["1.0M", "1.5M", "2.0M"]],
    [0.001, 0.0042, 3, ["0", "0.002", "0.004", "0.006"]],
  ])("from %p to %p in %p", (min, max, count, labels) => {
    const scale = scaleValues({ min, max }, count);
    expect(scale.ticks.map(({ label }) => label)).toEqual(labels);
    expect(scale.min).toBeLessThanOrEqual(min);
    expect(scale.max).toBeGreaterThanOrEqual(max);
  });

  test.each([
    [60, 5, ["Nov 2", "00:00:15", "00:00:30", "00:00:45"]],
    [6 * HOUR, 7, ["Nov 2", "01:00", "02:00", "03:00", "04:00", "05:00"]],
    [48 * HOUR, 5, ["Nov 2", "12:00", "Nov 3", "12:00"]],
    [60 * 24 * HOUR, 6, ["Nov 10", "Nov 24", "Dec 8", "Dec 22"]],
    [1500 * 24 * HOUR, 5, ["Nov 2014", "Nov 2015", "Nov 2016", "Nov 2017", "Nov 2018"]],
  ])("ticks of %p seconds, at most %p", (length, most, labels) => {
    const ticks = tickTimes({ min: midnight, max: midnight + length }, most);
    expect(ticks.map(({ label }) => label)).toEqual(labels);
  });
});

test("a canvas sets the dots of a line and ignores those outside", () => {
  const canvas = createCanvas(2, 1);
  canvas.line({ x: 0, y: 0 }, { x: 3, y: 3 });
  canvas.line({ x: -5, y: 9 }, { x: -5, y: 12 });
  expect([canvas.charAt(0, 0), canvas.charAt(1, 0)]).toEqual(["⠑", "⢄"]);
  expect(createCanvas(1, 1).charAt(0, 0)).toBeUndefined();
});

test("the scale of a unit has round values of what it shows", () => {
  const labelsOf = (min: number, max: number, unit: string) =>
    scaleValues({ min, max }, 4, unit).ticks.map(({ label }) => label);
  expect(labelsOf(0, 3e9, "B")).toEqual(["0 GB", "1 GB", "2 GB", "3 GB"]);
  expect(labelsOf(0, 500, "s")).toEqual(["0 min", "5 min", "10 min"]);
  expect(labelsOf(0.9, 0.95, "ratio")).toEqual(["90 %", "92 %", "94 %", "96 %"]);
});
