// Time formats of CSV cells: numbers, ISO 8601, patterns.
import { describe, expect, test } from "bun:test";
import { createTimeReader } from "../../../src/core/formats/csv-time.ts";
import { errorOf } from "../expect.ts";

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
    ["%A, %d %B %Y %T", "Dienstag, 1 Juli 2014 14:30:00", summer],
    ["%F %H:%M %Z", "2014-07-01 14:30 UTC", summer],
    ["%Y %j", "2014 182", summer - 52_200],
    ["%Y-%m-%d %H:%M", "2014-06-30 24:00", summer - 52_200],
    ["excel", "41821.604166667", summer],
    ["excel", "soon", undefined],
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
