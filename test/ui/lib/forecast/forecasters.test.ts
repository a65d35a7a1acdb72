// How forecasts are made: shares in the format of the language, by feature where they differ, older versions.
import { expect, test } from "bun:test";
import type { ModelStateView } from "../../../../src/api/model.ts";
import { describeForecasters, describeSeasons } from "../../../../src/ui/lib/forecast/forecasters.ts";
import { createNumbers } from "../../../../src/ui/lib/format.ts";
import { de } from "../../../../src/ui/texts/de.ts";

const { forecastPage: own } = de;
const numbers = createNumbers("de");
const describeIn = (state: Partial<ModelStateView>) =>
  describeForecasters(state, own, (share) => numbers.fixed(share, 2));
const of = (...members: readonly (readonly [name: string | undefined, weight: number])[]) => ({
  members: members.map(([name, weight]) => ({ name, weight, forecaster: "f", text: "t" })),
});
const forecastOf = (features: Record<string, ReturnType<typeof of>>) =>
  features as unknown as NonNullable<ModelStateView["forecast"]>;

test("members of one name are one, the greatest first, with decimals of the language", () => {
  const load = of(["holt-winters", 0.4], ["seasonal", 0.3], ["seasonal", 0.3]);
  expect(describeIn({ forecast: forecastOf({ load }) })).toBe("Saison 0,60, Holt-Winters 0,40");
  expect(describeIn({ forecast: forecastOf({ load: of(["last values", 1]) }) })).toBe("letzte Werte");
});

test("features that differ are named, those that agree are one", () => {
  const [net, drift] = [of(["donut", 1]), of(["drift", 1])];
  expect(describeIn({ forecast: forecastOf({ a: net, b: drift }) })).toBe("a: Netz; b: Niveau mit Steigung");
  expect(describeIn({ forecast: forecastOf({ a: net, b: net }) })).toBe("Netz");
});

test("versions of older releases are told as the server does, one name alone in the language", () => {
  const forecast = forecastOf({ load: of([undefined, 1]) });
  expect(describeIn({ forecast, forecaster: "seasonal 0.77, theta 0.23" })).toBe("seasonal 0.77, theta 0.23");
  expect(describeIn({ forecaster: "donut" })).toBe("Netz");
  expect(describeIn({ forecast: forecastOf({ load: of(["tides", 1]) }) })).toBe("tides");
});

test("seasons have the names of the language", () =>
  expect(describeSeasons("day, week", own)).toBe("Tag, Woche"));
