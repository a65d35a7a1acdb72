// Week of mute windows: hours of the grid and back, windows that do not fit.
import { expect, test } from "bun:test";
import { checkMute, type MuteWindow } from "../../../../src/core/model/mute.ts";
import {
  buildMute,
  describeWindow,
  HOURS,
  type MuteZones,
  mutesOfSeries,
  readMute,
  weekdays,
} from "../../../../src/ui/lib/anomalies/mute-grid.ts";

/** Summer: Berlin is two hours ahead of UTC. */
const at = Date.parse("2026-07-01T12:00:00Z") / 1000;
const utc: MuteZones = { own: "UTC", shown: "UTC", at };
const berlin: MuteZones = { ...utc, shown: "Europe/Berlin" };

const hoursOf = (windows: readonly MuteWindow[]) =>
  [...readMute(windows, utc).week.entries()].filter(([, muted]) => muted).map(([hour]) => hour);

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
  { from: "08:00", to: "10:00", timezone: "Asia/Kolkata" },
])("%j does not fit, and stays as it is", (window) => {
  expect(readMute([window], utc).others).toEqual([window]);
  expect(buildMute(readMute([window], utc), utc)).toEqual([window]);
});

test("days with the same hours are one window; a night is two", () => {
  const windows: MuteWindow[] = [
    { weekdays: ["monday", "friday"], from: "22:00", to: "06:00" },
    { from: "12:00", to: "13:00" },
  ];
  const { week } = readMute(windows, utc);
  const built = buildMute({ week, fitting: [], others: [] }, utc);
  expect(built).toEqual([
    { from: "12:00", to: "13:00" },
    { weekdays: ["monday", "friday"], from: "22:00", to: "24:00" },
    { weekdays: ["tuesday", "saturday"], from: "00:00", to: "06:00" },
  ]);
  expect(() => checkMute(built)).not.toThrow();
  expect(readMute(built, utc).week).toEqual(week);
});

test("hours stand in the shown zone; windows that were not changed keep theirs", () => {
  const early: MuteWindow = { weekdays: ["sunday"], from: "22:00", to: "24:00" };
  const tokyo: MuteWindow = { weekdays: ["monday"], from: "12:00", to: "13:00", timezone: "Asia/Tokyo" };
  const { week, fitting, others } = readMute([early, tokyo], berlin);
  expect([...week.keys()].filter((hour) => week[hour])).toEqual([0, 1, 5]);
  const added = { week: week.with(9, true), fitting, others };
  const nine = { weekdays: ["monday"], from: "09:00", to: "10:00", timezone: "Europe/Berlin" };
  expect(buildMute(added, berlin)).toEqual([early, tokyo, nine] as never);
  const cut = { week: week.with(0, false), fitting, others };
  const one = { weekdays: ["monday"], from: "01:00", to: "02:00", timezone: "Europe/Berlin" };
  expect(buildMute(cut, berlin)).toEqual([tokyo, one] as never);
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

const days = Object.fromEntries(weekdays.map((day) => [day, day.slice(0, 2)])) as Record<
  (typeof weekdays)[number],
  string
>;
const moment = (seconds: number) => `${seconds - at} s`;

test.each<[MuteWindow, string, string]>([
  [
    { weekdays: ["monday", "sunday"], from: "22:30", to: "06:00" },
    "mo, su 22:30 – 06:00",
    "tu, mo 00:30 – 08:00",
  ],
  [{ from: "00:00", to: "24:00" }, "00:00 – 24:00", "02:00 – 02:00"],
  [
    { weekdays: ["monday"], from: "01:15", to: "02:00", timezone: "Asia/Kolkata" },
    "su 19:45 – 20:30",
    "su 21:45 – 22:30",
  ],
  [{ cron: "0 3 * * *", duration: "1h" }, "0 3 * * *, 1h", "0 3 * * *, 1h UTC"],
  [{ until: "2026-07-01T12:00:30Z" }, "→ 30 s", "→ 30 s"],
  [
    { from: "02:00", to: "04:00", series: { host: "db-*" } },
    "02:00 – 04:00, host=db-*",
    "04:00 – 06:00, host=db-*",
  ],
  [{ calendar: "sales", series: { host: "db-*" } }, "sales, host=db-*", "sales, host=db-*"],
])("%j is shown as %p, in Berlin as %p", (window, text, textInBerlin) => {
  const texts = [utc, berlin].map((zones) => describeWindow(window, zones, { days, moment }));
  expect(texts).toEqual([text, textInBerlin]);
});
