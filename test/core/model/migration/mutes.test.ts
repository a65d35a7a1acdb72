// Mute windows of single models, merged into those of a fleet.
import { expect, test } from "bun:test";
import { mergeMutes } from "../../../../src/core/model/migration/mutes.ts";
import type { MuteWindow } from "../../../../src/core/model/mute.ts";

const night = { from: "22:00", to: "06:00" };
const noon = { from: "12:00", to: "13:00" };
const muted = (host: string, ...mute: MuteWindow[]) => ({
  model: `load_${host}`,
  series: { host },
  settings: { mute },
});

test("windows that all models have are the fleet's, others those of a series", () => {
  const models = [muted("a", night, noon), muted("b", { to: night.to, from: night.from })];
  expect(mergeMutes(models)).toEqual({ windows: [night, { ...noon, series: { host: "a" } }], uncopied: [] });
});

test.each([
  ["a star, which would be a glob", "db-*"],
  ["no value", ""],
])("a window of a series is not copied where a tag has %s", (_name, host) => {
  const { windows, uncopied } = mergeMutes([muted(host, night), muted("b")]);
  expect(windows).toEqual([]);
  expect(uncopied).toEqual([
    { model: `load_${host}`, reason: "a mute window cannot name the value of tag host" },
  ]);
});

test("a model has at most 64 windows: those of all models, then those of the first ones", () => {
  const models = Array.from({ length: 70 }, (_, i) => muted(String(i), night, ...(i > 0 ? [noon] : [])));
  const { windows, uncopied } = mergeMutes(models);
  expect([windows.length, windows[0], uncopied.length]).toEqual([64, night, 6]);
  expect(uncopied[0]).toEqual({ model: "load_64", reason: "a model has at most 64 mute windows" });
});
