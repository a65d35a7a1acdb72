// Fields of model settings: groups, hints, changes, and drafts moved to newer settings without a loss.
import { expect, test } from "bun:test";
import { listKinds } from "../../../../src/resources/kinds.ts";
import { buildBody, readDraft, rebaseDraft } from "../../../../src/ui/parts/form/draft.ts";
import type { Field, Schema } from "../../../../src/ui/parts/form/fields.ts";
import {
  fieldsOfGroup,
  listChanges,
  modelFields,
  settingsGroups,
} from "../../../../src/ui/parts/form/model-fields.ts";
import { de } from "../../../../src/ui/texts/de.ts";
import { enScreens } from "../../../../src/ui/texts/en.ts";

const schema = listKinds().models[0]!.settings as Schema;
const thresholds = { max: 47, min: 24, source: "automatic" } as const;
const fields = modelFields(schema, { trained: true, span: 48, thresholds });

const feature = {
  name: "load",
  metric: "avg",
  field: "load",
  match_all: [
    { tag: "host", value: "a" },
    { tag: "cpu", value: 0 },
  ],
  only_if: { above: 10 },
  anomaly_type: "high",
};
const settings = {
  name: "m",
  type: "donut",
  features: [feature],
  default_bucket: "b",
  bucket_interval: "5m",
  span: "auto",
  max_threshold: 60,
  mute: [{ weekdays: ["monday"], from: "01:00", to: "02:00" }],
  seasonality: { daytime: true },
};

test("every field is in one group; legacy settings, name and type have none", () => {
  const grouped = settingsGroups.flatMap((group) => fieldsOfGroup(fields, group));
  expect(grouped.map(({ key }) => key).sort()).toEqual(fields.map(({ key }) => key).sort());
  expect(fields.map(({ key }) => key)).not.toContain("threshold");
  expect(fieldsOfGroup(fields, "detection").map(({ key }) => key)).toContain("grace_period");
});

test("the first look of a group and of a feature has few fields; what it needs is among them", () => {
  const shownOf = (list: readonly Field[]) => list.filter(({ isRare }) => !isRare).map(({ key }) => key);
  for (const group of settingsGroups) expect(shownOf(fieldsOfGroup(fields, group)).length).toBeLessThan(7);
  const features = fields.find(({ key }) => key === "features");
  expect(shownOf(features?.kind === "items" ? features.fields : [])).toEqual([
    ...["name", "metric", "field", "anomaly_type", "unit", "match_all"],
  ]);
  const isHidden = (list: readonly Field[]): boolean =>
    list.some((field) => (field.isRare && field.isRequired) || ("fields" in field && isHidden(field.fields)));
  expect(isHidden(fields)).toBe(false);
});

test("every choice has words in both languages", () => {
  const choicesOf = (list: readonly Field[]): readonly string[] =>
    list.flatMap((field) => {
      if ("fields" in field) return choicesOf(field.fields);
      return field.kind === "choice" ? field.choices.map((choice) => `${field.key}.${choice}`) : [];
    });
  for (const { form } of [enScreens, de]) {
    const known = Object.keys(form.values);
    const isTold = (path: string) => known.includes(path) || known.includes(path.split(".")[1]!);
    // The name of a method.
    expect(choicesOf(fields).filter((path) => !isTold(path))).toEqual(["forecaster.holt-winters"]);
  }
});

test("no setting is edited as JSON", () => {
  const kindsOf = (list: readonly Field[]): readonly string[] =>
    list.flatMap((field) => [field.kind, ...("fields" in field ? kindsOf(field.fields) : [])]);
  expect(kindsOf(fields)).not.toContain("json");
});

test("what is nested in a list is read and built at its own place", () => {
  const draft = readDraft(fields, settings);
  expect(draft["features.0.match_all.1.value"]).toBe(0);
  expect(draft["features.0.only_if.above"]).toBe(10);
  const changed = { ...draft, "features.0.match_all.0.value": "b", "features.0.only_if.below": "90" };
  expect(listChanges(fields, settings, changed)).toMatchObject([
    {
      after: [{ match_all: [{ value: "b" }, { tag: "cpu", value: 0 }], only_if: { above: 10, below: 90 } }],
    },
  ]);
});

test("automatic values in force are hints", () => {
  const hintOf = (key: string) => fields.find((field) => field.key === key)?.hint;
  expect([hintOf("max_threshold"), hintOf("min_threshold"), hintOf("span")]).toEqual(["47", "24", "48"]);
});

test("settings go through the form without a loss", () => {
  const { name: _name, type: _type, ...rest } = settings;
  expect(buildBody(fields, readDraft(fields, settings))).toEqual(rest);
  expect(listChanges(fields, settings, readDraft(fields, settings))).toEqual([]);
});

test("changes are listed, with those that need a training", () => {
  const draft = { ...readDraft(fields, settings), max_threshold: "", span: "96" };
  expect(listChanges(fields, settings, draft)).toEqual([
    { key: "span", before: "auto", after: 96, needsTraining: true },
    { key: "max_threshold", before: 60, after: null, needsTraining: false },
  ]);
});

test("of a feature, its direction applies at once, its metric with a training", () => {
  const draft = readDraft(fields, settings);
  const changed = (path: string, text: string) => listChanges(fields, settings, { ...draft, [path]: text });
  expect(changed("features.0.anomaly_type", "low")).toMatchObject([
    { key: "features", needsTraining: false },
  ]);
  expect(changed("features.0.metric", "max")).toMatchObject([{ key: "features", needsTraining: true }]);
});

test("what the form does not show of a feature stays", () => {
  const stored = { ...settings, features: [{ ...feature, script: "x" }] };
  expect(listChanges(fields, stored, readDraft(fields, stored))).toEqual([]);
  const draft = { ...readDraft(fields, stored), "features.0.metric": "max" };
  expect(listChanges(fields, stored, draft)).toMatchObject([
    { after: [{ ...feature, metric: "max", script: "x" }] },
  ]);
});

test("a draft keeps what was typed, and takes over what another has changed", () => {
  const draft = { ...readDraft(fields, settings), max_threshold: "70" };
  const after = { ...settings, max_threshold: 65, bucket_interval: "10m" };
  const [before, theirs] = [settings, after].map((each) => readDraft(fields, each));
  const moved = rebaseDraft(fields, { before: before!, mine: draft, theirs: theirs! });
  expect(listChanges(fields, after, moved)).toEqual([
    { key: "max_threshold", before: 65, after: 70, needsTraining: false },
  ]);
});
