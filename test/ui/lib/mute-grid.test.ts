// Week of mute windows: hours of the grid and back, windows that do not fit.
import { expect, test } from "bun:test";
import { checkMute, type MuteWindow } from "../../../src/core/model/mute.ts";
import { buildMute, HOURS, readMute } from "../../../src/ui/lib/mute-grid.ts";

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
