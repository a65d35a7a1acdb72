// Documents: sections, single resources, models with hooks and work, and the errors of each.
import { expect, test } from "bun:test";
import { readDocument } from "../../../src/core/apply/document.ts";

test("sections are taken apart, hooks of models stand beside them", () => {
  const { entries, kinds, works, mistakes } = readDocument({
    datasources: [{ name: "b" }],
    models: [
      { name: "m", hooks: [{ name: "h" }], train: { from: "now-7d" }, live: true },
      { name: "n", live: false },
    ],
    templates: [{ name: "t", settings: {}, params: ["x"] }],
    scheduled_jobs: null,
  });
  expect(mistakes).toEqual([]);
  expect(entries).toEqual([
    { path: "datasources.0", resource: { kind: "bucket", settings: { name: "b" } } },
    { path: "models.0", resource: { kind: "model", settings: { name: "m" } } },
    { path: "models.0.hooks.0", resource: { kind: "hook", model: "m", settings: { name: "h" } } },
    { path: "models.1", resource: { kind: "model", settings: { name: "n" } } },
    { path: "templates.0", resource: { kind: "template", name: "t", settings: {} } },
  ]);
  expect(works).toEqual([
    { model: "m", train: { from: "now-7d" }, live: { detect_anomalies: true } },
    { model: "n", live: false },
  ]);
  expect([...kinds].sort()).toEqual(["bucket", "model", "scheduled_job", "template"]);
});

test("hooks without a model are global ones, in a list or under global", () => {
  const resource = { kind: "hook", settings: { name: "h" } } as const;
  expect(readDocument({ hooks: [{ name: "h" }] }).entries).toEqual([{ path: "hooks.0", resource }]);
  const { entries, kinds } = readDocument({ hooks: { global: [{ name: "h" }] } });
  expect(entries).toEqual([{ path: "hooks.global.0", resource }]);
  expect([...kinds]).toEqual(["hook"]);
});

test("a single resource has its kind", () => {
  const { entries, kinds } = readDocument({ kind: "hook", model: "m", name: "h", type: "mail" });
  expect(entries).toEqual([
    { path: "", resource: { kind: "hook", model: "m", settings: { name: "h", type: "mail" } } },
  ]);
  expect([...kinds]).toEqual(["hook"]);
});

test.each([
  ["a list", [], "must hold sections"],
  [
    "an unknown kind",
    { kind: "modle" },
    "kind: must be one of bucket, calendar, template, model, hook, scheduled_job",
  ],
  ["an unknown section", { server: {} }, "server: is no section here; there are buckets"],
  ["a section that is near", { modles: [] }, "did you mean models?"],
  ["a section that is no list", { models: {} }, "models: must be a list"],
  ["an entry that is no object", { buckets: [1] }, "buckets.0: must hold settings by name"],
  [
    "a model that is no name",
    { hooks: [{ name: "h", model: 1 }] },
    "hooks.0.model: must be the name of a model",
  ],
  ["a template without settings", { templates: [{ name: "t" }] }, "templates.0.settings: is required"],
  [
    "a template with a key too many",
    { templates: [{ name: "t", type: "x" }] },
    "templates.0.type: is unknown",
  ],
  ["training without a start", { models: [{ name: "m", train: {} }] }, "models.0.train.from: is required"],
  [
    "an unknown word of live",
    { models: [{ name: "m", live: { detekt: true } }] },
    "models.0.live.detekt: is unknown",
  ],
])("%s", (_name, document, message) => {
  expect(readDocument(document).mistakes.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringContaining(message),
  ]);
});

test("one mistake does not hide the next", () => {
  expect(readDocument({ models: [1, { name: "m" }], x: [] }).mistakes).toHaveLength(2);
});
