// Output of a migration: rows of series and of models that stay, then a summary.
import { expect, test } from "bun:test";
import type { MigrationView } from "../../../src/api/template.ts";
import type { Context } from "../../../src/cli/command/command.ts";
import { answerMigration } from "../../../src/cli/output/migration.ts";
import { aModel } from "../../support/builders.ts";

const migration: MigrationView = {
  model: "hosts",
  dry_run: false,
  settings: aModel({ name: "hosts" }),
  group_by: ["host", "cpu"],
  series: [{ model: "load_a0", series: { host: "a", cpu: "0" } }],
  left: [{ model: "load_b", reason: "feature v has no tag cpu in match_all" }],
  anomalies: 1,
  labels: 2,
  hooks: ["ops", "pager"],
  not_copied: [{ model: "load_a0", what: "hook mail", reason: "not all models have it" }],
  live: 1,
  deleted: 0,
  next: "",
};

function show(own: Partial<MigrationView> = {}, globals: object = {}) {
  const [answers, notes]: [unknown[], string[]] = [[], []];
  const context = {
    globals,
    colour: false,
    answer: (value: unknown, render?: () => string) => answers.push(render ? render() : value),
    note: (text: string) => notes.push(text),
  } as unknown as Context;
  answerMigration(context, { ...migration, ...own });
  return { answers, notes };
}

test("a table of the models, notes of what was copied and what was not", () => {
  const { answers, notes } = show();
  expect(answers).toEqual([
    [
      "MODEL    HOST  CPU  OUTCOME",
      "load_a0  a     0    series",
      "load_b   -     -    stays: feature v has no tag cpu in match_all",
    ].join("\n"),
  ]);
  expect(notes).toEqual([
    "not copied: hook mail of load_a0: not all models have it",
    "created model hosts: 1 series, 1 anomaly, 2 labels, hooks ops, pager; 1 live model stopped",
  ]);
});

test("a plan says what would be", () => {
  const { notes } = show({ dry_run: true, hooks: [], not_copied: [], live: 0, deleted: 2 });
  expect(notes).toEqual([
    "would create model hosts: 1 series, 1 anomaly, 2 labels, no hooks; 2 single models deleted",
  ]);
});

test("with --json the answer as it is", () => {
  expect(show({}, { json: true })).toEqual({ answers: [migration], notes: [] });
});
