// Week of mute windows: hours of the grid and back, windows that do not fit.
import { expect, test } from "bun:test";
import { checkMute, type MuteWindow } from "../../../../src/core/model/mute.ts";
import {
  buildMute,
  describeWindow,
  HOURS,
  mutesOfSeries,
  readMute,
} from "../../../../src/ui/lib/anomalies/mute-grid.ts";

const hoursOf = (windows: readonly MuteWindow[]) =>
  [...readMute(windows, "UTC").week.entries()].filter(([, muted]) => muted).map(([hour]) => hour);

test.each<[MuteWindow, number[]]>([
  [{ weekdays: ["monday"], from: "08:00", to: "10:00" }, [8, 9]],
  [{ weekdays: ["tuesday"], from: "22:00", to: "24:00" }, [46, 47]],
  [{ weekdays: ["sunday"], from: "23:00", to: "01:00" }, [0, 167]],
  [
    { weekdays: ["monday"], from: "00:00", to: "24:00", timezone: "UTC" },
    Array.from({ length: HOURS }, (_, i) => i),
  ],
])("%j covers %p", (window, hours) => expect(hoursOf([window])).toEqual(hours));

test("without weekdays it is every day", () =>
  expect(hoursOf([{ from: "03:00", to: "04:00" }])).toEqual([3, 27, 51, 75, 99, 123, 147]));

test.each<MuteWindow>([
  { cron: "0 3 * * *", duration: "1h" },
  { from: "08:30", to: "10:00" },
  { from: "08:00", to: "10:00", series: { host: "db-*" } },
  { from: "08:00", to: "10:00", timezone: "Asia/Tokyo" },
])("%j does not fit, and stays as it is", (window) => {
  expect(readMute([window], "UTC").others).toEqual([window]);
  expect(buildMute(readMute([window], "UTC"))).toEqual([window]);
});

test("days with the same hours are one window; a night is two", () => {
  const windows: MuteWindow[] = [
    { weekdays: ["monday", "friday"], from: "22:00", to: "06:00" },
    { from: "12:00", to: "13:00" },
  ];
  const built = buildMute(readMute(windows, "UTC"));
  expect(built).toEqual([
    { from: "12:00", to: "13:00" },
    { weekdays: ["monday", "friday"], from: "22:00", to: "24:00" },
    { weekdays: ["tuesday", "saturday"], from: "00:00", to: "06:00" },
  ]);
  expect(() => checkMute(built)).not.toThrow();
  expect(readMute(built, "UTC").week).toEqual(readMute(windows, "UTC").week);
});

test("the windows of a series are those that name its tags, all and no others", () => {
  const tags = { host: "a", cpu: "0" };
  const own: MuteWindow = { from: "08:00", to: "10:00", series: { cpu: "0", host: "a" } };
  const others = [{ host: "a" }, { host: "*", cpu: "0" }, undefined].map(
    (series): MuteWindow => ({ from: "08:00", to: "10:00", ...(series && { series }) }),
  );
  expect(mutesOfSeries([own, ...others], tags)).toEqual([own]);
  expect(mutesOfSeries(undefined, tags)).toEqual([]);
});

test.each<[MuteWindow, string]>([
  [{ weekdays: ["monday", "friday"], from: "22:30", to: "06:00" }, "monday, friday 22:30 – 06:00"],
  [{ cron: "0 3 * * *", duration: "1h", timezone: "Asia/Tokyo" }, "0 3 * * *, 1h Asia/Tokyo"],
  [{ from: "02:00", to: "04:00", series: { host: "db-*" } }, "02:00 – 04:00, host=db-*"],
  [{ calendar: "sales", series: { host: "db-*" } }, "sales, host=db-*"],
])("%j is shown as %p", (window, text) => expect(describeWindow(window)).toBe(text));
