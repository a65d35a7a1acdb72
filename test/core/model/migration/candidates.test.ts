// Models of a template, by the form of their names and features.
import { expect, test } from "bun:test";
import { isOfTemplate, parameterTags } from "../../../../src/core/model/migration/candidates.ts";
import { aModel } from "../../../support/builders.ts";

const feature = { name: "v", metric: "avg", field: "v" };

test.each([
  ["load_{{host}}", "load_web1", true],
  ["load_{{host}}", "disk_web1", false],
  ["{{dc}}.{{ host }}", "fra.web1", true],
  ["load", "load", true],
  ["load", "load2", false],
])("a model of a template %p may have the name %p: %p", (form, name, expected) => {
  const other = [{ ...feature, name: "other" }];
  expect(isOfTemplate({ name: form, features: [feature] }, aModel({ name, features: other }))).toBe(expected);
});

test.each([
  [[feature], [feature], true],
  [[{ ...feature, name: "{{x}}" }], [feature], true],
  [[{ ...feature, name: "other" }], [feature], false],
  [[feature], [feature, { ...feature, name: "w" }], false],
  ["{{features}}", [feature], false],
])("where any name has the form, features %# decide", (own, features, expected) => {
  const template = { name: "{{host}}", features: own };
  expect(isOfTemplate(template, aModel({ features }))).toBe(expected);
});

test("tags whose value is a parameter, each once", () => {
  const match_all = [
    { tag: "dc", value: "fra" },
    { tag: "host", value: "{{host}}" },
    { tag: "disk", value: "sd{{disk}}" },
  ];
  expect(parameterTags({ features: [{ match_all }, { match_all }, {}] })).toEqual(["host", "disk"]);
  expect(parameterTags({ features: "{{features}}" })).toEqual([]);
});
