// Table of caps: every cap that the source declares, or tells a client, has a row.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { budgets, constantOf, constants, listCaps, resources } from "./caps.ts";
import { root } from "./pages.ts";

/** Constants in messages that are no caps of their own, and why. */
const others: Readonly<Record<string, string>> = {
  "src/core/formats/readable.ts: MAX_DECADES": "how numbers are written",
  "src/core/input/name-pattern.ts: MAX_LENGTH": "a name",
  "src/core/model/retrain.ts: MAX_MODEL_NAME": "a name",
  "src/resources/buckets/plan.ts: MAX_MEASUREMENT": "a name",
  "src/resources/buckets/probe.ts: MAX_NAME": "a name",
  "src/resources/models/find.ts: MAX_TEXT": "a name",
  "src/resources/models/params.ts: MAX_NAME": "a name",
  "src/resources/detections/series-request.ts: MAX_VALUE": "a bound of values, in the schema",
};
/** Rooms whose messages are of no request. */
const apart = /^src\/(ui|cli|models|store\/(db|postgres|fleets|anomalies)|app|runtime)\//;

const sources = [...new Glob("src/**/*.ts").scanSync(root)]
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

test("every file that declares a cap of a budget, or of resources, is in the table", () => {
  const declaring = sources.filter(
    ({ path, text }) =>
      path !== "src/runtime/work-budget.ts" &&
      (/satisfies (Record<string, Cap>|Caps<)|: Caps?(<.*>)? = |new CapError\(/.test(text) ||
        /\bmax: [\d_]+, noun: "/.test(text)),
  );
  expect(declaring.map(({ path }) => path)).toEqual(
    [...Object.keys(budgets), ...Object.keys(resources)].sort(),
  );
});

test("every cap of a file that declares some has a row", async () => {
  for (const [path, declared] of [...Object.entries(budgets), ...Object.entries(resources)]) {
    const { text } = sources.find((each) => each.path === path)!;
    const written = text.match(/\b(most|max): [\d_*. ]*\d/g) ?? [];
    const shown = declared.reduce(
      (sum, each) => sum + (Array.isArray(each) ? Object.keys(each[1]!).length : 1),
      0,
    );
    expect([path, shown]).toEqual([path, written.length]);
  }
});

test("every constant that a message tells has a row, or a reason", () => {
  const missing = sources
    .filter(({ path }) => !apart.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\$\{(MAX_[A-Z_]+)\}/g)]
        .map(([, name]) => name!)
        .filter((name) => new RegExp(`^(export )?const (\\[.*)?\\b${name}\\b`, "m").test(text))
        .filter((name) => constants[path]?.[name] === undefined)
        .map((name) => `${path}: ${name}`),
    );
  expect([...new Set(missing)].sort()).toEqual(Object.keys(others).sort());
});

test("every row has a text of its own and a number", () => {
  const rows = listCaps();
  expect(new Set(rows.map(([what]) => what)).size).toBe(rows.length);
  for (const [what, , most] of rows) expect([what, most > 0]).toEqual([what, true]);
});

test("a number is read from a source by its name", () => {
  expect(constantOf("src/core/series/names.ts", "MAX_TAG_VALUE")).toBe(1024);
  expect(constantOf("src/buckets/mqtt/subscribe.ts", "MAX_PAYLOAD_BYTES")).toBe(1_048_576);
  expect(constantOf("src/mcp/tools/forecast.ts", "rowLimits.most")).toBe(500);
  expect(() => constantOf("src/core/series/names.ts", "MAX_NOTHING")).toThrow("no number MAX_NOTHING");
});
