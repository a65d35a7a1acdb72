// CSV points: roles of columns, cells, time formats.
import { describe, expect, test } from "bun:test";
import { type ColumnOptions, PointMaker } from "../../../src/core/formats/csv-points.ts";
import { createTimeReader } from "../../../src/core/formats/csv-time.ts";
import { errorOf } from "../expect.ts";

const row = (...cells: string[]) => ({ line: 7, cells, length: 10 });

describe("points", () => {
  const cases: [string, string[], ColumnOptions, string[], object][] = [
    ["a guessed time column", ["v", "time"], {}, ["1.5", "60"], { timestamp: 60, v: 1.5 }],
    ["the first column", ["day", "v"], {}, ["1970-01-02", "2"], { timestamp: 86_400, v: 2 }],
    ["a named time column", ["time", "at", "v"], { timeColumn: "at", columns: ["v"] }, ["x", "5", "1"], { timestamp: 5, v: 1 }],
    ["chosen columns", ["t", "a", "b"], { columns: ["b"] }, ["1", "x", "3"], { timestamp: 1, b: 3 }],
    ["tags", ["t", "v", "host"], { tagColumns: ["host"] }, ["1", "2", "db"], { timestamp: 1, v: 2, tags: { host: "db" } }],
    ["an empty tag", ["t", "v", "host"], { tagColumns: ["host"] }, ["1", "2", ""], { timestamp: 1, v: 2 }],
    ["missing values", ["t", "a", "b", "c", "d"], {}, ["1", "", "NaN", "null", "4"], { timestamp: 1, d: 4 }],
    ["numbers of every form", ["t", "a", "b", "c"], {}, ["1", "-1e3", ".5", "+7"], { timestamp: 1, a: -1000, b: 0.5, c: 7 }],
  ]; // biome-ignore format: a table
  test.each(cases)("%s", (_name, header, options, cells, point) => {
    expect(new PointMaker(header, options).make(row(...cells))).toEqual(point as never);
  });

  test("a row without a value is no point", () => {
    expect(new PointMaker(["t", "v"], {}).make(row("1", ""))).toBeUndefined();
  });

  test("columns of text are skipped unless chosen", () => {
    const maker = new PointMaker(["t", "host", "v"], {});
    expect(maker.dropTexts(row("1", "db", "2"))).toEqual(["host"]);
    expect(maker.fields).toEqual(["v"]);
    expect(new PointMaker(["t", "host"], { columns: ["host"] }).dropTexts(row("1", "db"))).toEqual([]);
    expect(errorOf(() => new PointMaker(["t", "host"], {}).dropTexts(row("1", "db"))).message).toContain(
      "no number",
    );
  });

  const refusals: [string, string[], ColumnOptions, string[], string][] = [
    ["a short row", ["t", "v"], {}, ["1"], "line 7: has 1 cells, the header has 2"],
    ["no time", ["t", "v"], {}, ["soon", "1"], "line 7: column t holds no time: set --time-column or --time-format"],
    ["no number", ["t", "v"], {}, ["1", "12abc"], "line 7: column v holds no number: set --columns"],
    ["infinity", ["t", "v"], {}, ["1", "1e999"], "line 7: column v holds no number: set --columns"],
    ["an unknown column", ["t", "value"], { columns: ["vlaue"] }, [], "--columns: the file has no column vlaue; did you mean value?"],
    ["an unknown time column", ["t", "v"], { timeColumn: "instant" }, [], "--time-column: the file has no column instant; it has t, v"],
    ["nothing but a time", ["t"], {}, [], "header: has no column besides the time: check --delimiter"],
  ]; // biome-ignore format: a table
  test.each(refusals)("refuses %s", (_name, header, options, cells, message) => {
    expect(errorOf(() => new PointMaker(header, options).make(row(...cells))).message).toBe(message);
  });
});

describe("times", () => {
  const summer = Date.UTC(2014, 6, 1, 14, 30) / 1000;
  const cases: [string, string, number | undefined][] = [
    ["auto", "1404225000", summer],
    ["auto", "1404225000.5", summer + 0.5],
    ["auto", "1.404225000000000000e+09", summer],
    ["ms", "1.404225e12", summer],
    ["auto", "1404225000000", summer],
    ["auto", "1404225000000000", summer],
    ["auto", "1404225000000000000", summer],
    ["auto", "2014-07-01 14:30:00", summer],
    ["auto", "2014-07-01T16:30:00+02:00", summer],
    ["auto", "2014-07-01", summer - 52_200],
    ["auto", "01/07/2014", undefined],
    ["auto", "", undefined],
    ["auto", "now", undefined],
    ["iso", "1404225000", undefined],
    ["s", "1404225000", summer],
    ["s", "1404225000000", undefined],
    ["ms", "1404225000000", summer],
    ["us", "1404225000000000", summer],
    ["ns", "1404225000000000000", summer],
    ["ms", "2014-07-01", undefined],
    ["%d/%m/%Y %H:%M", "01/07/2014 14:30", summer],
    ["%d/%m/%Y %H:%M", "1/7/2014  14:30", summer],
    ["%d/%m/%Y %H:%M", "31/02/2014 14:30", undefined],
    ["%d/%m/%Y %H:%M", "01/13/2014 14:30", undefined],
    ["%d/%m/%Y %H:%M", "01/07/2014 24:30", undefined],
    ["%d.%m.%y", "01.07.14", summer - 52_200],
    ["%d.%m.%y", "01x07x14", undefined],
    ["%b %d %Y %I:%M %p", "Jul 01 2014 02:30 PM", summer],
    ["%b %d %Y %I:%M %p", "Jul 01 2014 12:00 am", summer - 52_200],
    ["%Y-%m-%d %H:%M:%S.%f %z", "2014-07-01 16:30:00.250 +0200", summer + 0.25],
    ["100%% %Y", "100% 2014", Date.UTC(2014, 0, 1) / 1000],
  ];
  test.each(cases)("%s reads %p as %p", (format, cell, seconds) => {
    expect(createTimeReader(format)(cell)).toBe(seconds as never);
  });

  test.each([
    ["weeks", "must be auto, iso"],
    ["%Q", "%Q is unknown"],
    ["%Y %Y", "twice"],
  ])("refuses the format %p", (format, rule) => {
    expect(errorOf(() => createTimeReader(format)).message).toContain(rule);
  });
});
