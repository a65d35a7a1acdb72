// Texts: every language has the same keys, and no text is empty.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KindsView } from "../../src/api/kinds.ts";
import { Health } from "../../src/api/server/health.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { deliveryCodes } from "../../src/core/anomaly/delivery-code.ts";
import { readingCodes } from "../../src/core/calendar/reading-code.ts";
import { errorCodes } from "../../src/core/errors.ts";
import { forms } from "../../src/core/formats/csv/foreign.ts";
import { csvWords } from "../../src/core/formats/csv/words/reading.ts";
import { csvRules } from "../../src/core/formats/csv/words/rules.ts";
import { noProposalCodes } from "../../src/core/report/proposal.ts";
import { detectorNames } from "../../src/models/detectors/kinds/index.ts";
import { outlierMeasures } from "../../src/models/detectors/usual-outliers.ts";
import { JOINT } from "../../src/models/donut/joint/score.ts";
import { memberNames } from "../../src/models/forecasters/explain.ts";
import { SeasonsSchema } from "../../src/models/forecasters/season/season.ts";
import { listKinds } from "../../src/resources/kinds.ts";
import { splitDetector } from "../../src/ui/lib/anomalies/oddity.ts";
import { de } from "../../src/ui/texts/de.ts";
import * as german from "../../src/ui/texts/de-codes.ts";
import { csvWords as germanCsv } from "../../src/ui/texts/de-csv.ts";
import { csvRules as germanRules } from "../../src/ui/texts/de-csv-rules.ts";
import { describeKinds, descriptions } from "../../src/ui/texts/de-fields.ts";
import { enScreens, en as list, type Texts } from "../../src/ui/texts/en.ts";

const en: Texts = { ...list, ...enScreens };

const keysOf = (value: unknown, path = ""): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}.${key}`))
    : [path];
const textsOf = (value: unknown): string[] => {
  if (typeof value === "function") return [String(value(1, 2, 3))];
  if (typeof value === "string") return [value];
  const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.flatMap(([, inner]) => textsOf(inner));
};

test("the languages have the same keys", () => expect(keysOf(de).sort()).toEqual(keysOf(en).sort()));

test("every text says something, and German is not English", () => {
  for (const text of [...textsOf(en), ...textsOf(de)]) expect(text.trim()).not.toBe("");
  // What the server says is handed on; spans have the same units.
  const isGiven = (text: string) => /^([123]|\d+ [hd])$/.test(text);
  const same = textsOf(en).filter((text, i) => text === textsOf(de)[i] && !isGiven(text));
  expect(same.length).toBeLessThan(20);
});

test("sentences on the reading of CSV files are German, each another", () => {
  for (const [name, say] of Object.entries(csvWords)) {
    const given = ["a", "b", "c"] as const;
    const own = (germanCsv[name as keyof typeof csvWords] as (...words: string[]) => string)(...given);
    if (name !== "time") expect(own).not.toBe((say as (...words: string[]) => string)(...given));
  }
  expect(germanCsv.time("dates, the day first, with times of day")).toBe(
    "Datum, der Tag zuerst, mit Uhrzeit",
  );
  expect(germanCsv.time("times of the form %d")).toBe("Zeiten der Form %d");
});

test("sentences on what is wrong with a CSV file are German, each another", () => {
  const list = ["a", "b", "c"];
  const ways = { parts: ["a", "b"], tags: ["c", "d"], timezone: "e", duplicate: "f" };
  const facts: Partial<Record<keyof typeof csvRules, readonly unknown[]>> = {
    ...{ noForm: ["a", "b", "c", list], dayOrMonth: ["a", "b", "c", list] },
    ...{ noNumbers: ["a", "b", list], twoReadings: ["a", "b", list], otherForm: ["a", "b", list] },
    ...{ numberNoTime: ["a", "b", [["seconds", 1970]], "c", "d"], otherTime: ["a", "b", "dates", list, "c"] },
    ...{ fewCells: [1, 2, ["a", "b"]], manyCells: [3, 2, { number: "1,5", hasText: true, delimiter: "a" }] },
    ...{ noTime: ["a", "b", "c", "d", "e", ["f", "g"]], second: ["a", "b", "c", ways] },
  };
  const say = (rules: object, rule: string) =>
    (rules as Record<string, (...facts: readonly unknown[]) => string>)[rule]!(
      ...(facts[rule as keyof typeof csvRules] ?? ["a", "b", "c", "d", "e"]),
    );
  for (const rule of Object.keys(csvRules)) {
    expect(say(germanRules, rule)).not.toBe(say(csvRules, rule));
    expect(say(germanRules, rule)).not.toMatch(/\b(column|holds|the|is|line|and|or)\b/);
  }
  for (const { is, way } of forms) expect(germanRules.foreign(is, way)).not.toContain(way);
});

const outlierNames = Object.keys(outlierMeasures);

/** Codes that the server sends; in English the page repeats the texts beside them. */
const codes: readonly (readonly [name: string, codes: readonly string[], german: object])[] = [
  ["code of an error", errorCodes, german.problems],
  ["code of a delivery", deliveryCodes, german.deliveries],
  ["code of a calendar", readingCodes, german.readings],
  [
    "detector",
    [...new Set(detectorNames.map((name) => splitDetector(name)[0])), ...outlierNames, JOINT],
    german.oddities,
  ],
  ["forecaster", memberNames, german.forecasters],
  ["season", Object.keys(SeasonsSchema.properties), german.seasons],
  ["no_proposal_code", noProposalCodes, german.noProposals],
  ["check of the server", Object.keys(Health.properties.checks.properties), german.checks],
];

test.each(codes)("every %s of the server is told in German, and no other", (_name, known, own) =>
  expect(Object.keys(own).sort()).toEqual([...known].sort()));

test.each([...detectorNames, ...outlierNames])("shares name the detector %s in both languages", (name) => {
  for (const { detail } of [en, de]) expect(Object.keys(detail.detectors)).toContain(splitDetector(name)[0]);
});

describe("descriptions of settings", () => {
  /** Texts that forms show. */
  const describedIn = (value: unknown): string[] => {
    const found: string[] = [];
    JSON.stringify(value, (key, inner) => {
      const isShown = typeof inner === "string" && !/^(Legacy\b|Same as `)/.test(inner);
      if (key === "description" && isShown) found.push(inner);
      return inner;
    });
    return found;
  };
  /** Of schemas as wholes, which have no field of their own. */
  const titles = (kinds: KindsView) =>
    [...kinds.buckets, ...kinds.models].map(({ settings }) => settings.description);
  const { metrics: _, ...kinds } = listKinds();

  test("each is told in German, and no other is kept", () => {
    const english = new Set(describedIn(kinds));
    const untold = new Set(titles(listKinds()));
    const german = new Set(describedIn(describeKinds(listKinds())));
    expect([...english].filter((text) => german.has(text) && !untold.has(text))).toEqual([]);
    const isOf = (text: string) =>
      english.has(text) || [...english].some((long) => long.startsWith(`${text}. `));
    expect(Object.keys(descriptions).filter((text) => !isOf(text))).toEqual([]);
  });

  test("code in them stays as it is", () => {
    const codeOf = (text: string) => text.split("`").filter((part, i) => i % 2 === 1 && /[_{]/.test(part));
    for (const [english, german] of Object.entries(descriptions))
      for (const code of codeOf(english)) expect(german).toContain(`\`${code}\``);
  });
});

test("codes that the page does not know are told in the words of the server", () => {
  expect(de.problem("unknown", "502 Bad Gateway")).toBe("502 Bad Gateway");
  expect(de.problem("not_found", "")).toBe("Nicht gefunden");
  expect(de.forecastPage.forecaster("tides")).toBe("tides");
  expect(de.detail.oddity("odd in a new way", "tides", { span: "", beside: [] })).toBe("odd in a new way");
  expect(de.reportPage.noProposal("for a new reason", undefined, 0, 1)).toBe("for a new reason");
});

test("settings without a German name are called by their keys", () => {
  expect(de.form.nameOf("metric", "Metric")).toBe("Metrik");
  expect(de.form.nameOf("toString", "To string")).toBe("To string");
  expect(en.form.nameOf("metric", "Metric")).toBe("Metric");
});

test("refusals and missing proposals are told by their codes", () => {
  expect(de.problem("no_data", "no data found")).toBe("Keine Daten: no data found");
  expect(en.problem("no_data", "no data found")).toBe("no data found");
  expect(de.hooksPage.problem("rejected", "webhook answered 422")).toBe(
    "Der Empfänger hat abgelehnt: webhook answered 422",
  );
  expect(en.hooksPage.problem("rejected", "webhook answered 422")).toBe("webhook answered 422");
  expect(de.reportPage.noProposal("spared", "spared_by_settings", 3, 4)).toContain("3 von 4 Alarmen");
  expect(en.reportPage.noProposal("spared", "spared_by_settings", 3, 4)).toBe("spared");
});

const root = join(import.meta.dir, "../../src/ui");
const sources = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(root)];
/** Lines as they are typed in a shell, in texts and screens; `\\n` is the end of one in a literal. */
const lines = sources.flatMap((path) =>
  [...readFileSync(join(root, path), "utf8").matchAll(/torus ([a-z][^"'`<]*?)(?:\\n|["'`<.,\n])/g)].map(
    ([, line]) => [path, line!] as const,
  ),
);

test("screens name commands", () => expect(lines.length).toBeGreaterThan(8));

test.each(lines)("%s: torus %s is a command", (_path, line) => {
  const words = line.split(" ");
  const found = commands.find(({ name, aliases = [] }) =>
    [name, ...aliases].some((each) => each === words.slice(0, each.split(" ").length).join(" ")),
  );
  expect(found?.name ?? `unknown: ${line}`).not.toStartWith("unknown");
  const options = Object.keys({ ...found!.options });
  for (const option of words.filter((word) => word.startsWith("--")))
    expect([...options, "force"]).toContain(option.slice(2));
});
