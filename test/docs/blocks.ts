// Blocks of README.md that are generated: where they stand and what belongs into them.
import { bucketSchemas } from "../../src/buckets/index.ts";
import { Feature, ModelSettings } from "../../src/core/model.ts";
import { hookKinds } from "../../src/hooks/index.ts";
import type { ApiDocument } from "../../src/http/openapi.ts";
import { metrics } from "../../src/metrics/index.ts";
import { createFakeApp, send } from "../support/fake-app.ts";
import { renderRows, renderSchemaTable } from "../support/schema-table.ts";
import { renderSettingsTable } from "../support/settings-table.ts";

/** The API as it describes itself. */
const api = (await (await send(createFakeApp(), "GET /openapi.json")).json()) as ApiDocument;

/** Generated text by the name of its block: `<!-- settings -->` ... `<!-- /settings -->`. */
const blocks: Readonly<Record<string, () => string>> = {
  endpoints: renderEndpoints,
  settings: renderSettingsTable,
  buckets: renderBuckets,
  hooks: renderHooks,
  model: () => renderSchemaTable(ModelSettings),
  feature: () => renderSchemaTable(Feature),
  metrics: renderMetrics,
};

export const blockNames: readonly string[] = Object.keys(blocks);

/** The text with every block it has brought up to date. @throws Error where none is marked */
export function updateBlocks(text: string): string {
  let updated = text;
  let found = 0;
  for (const [name, render] of Object.entries(blocks)) {
    const pattern = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!pattern.test(updated)) continue;
    found++;
    updated = updated.replace(pattern, (_all, open: string, close: string) => `${open}${render()}\n${close}`);
  }
  if (found === 0) throw new Error("no block is marked, as in <!-- settings --> ... <!-- /settings -->");
  return updated;
}

function renderEndpoints(): string {
  const rows = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => [`\`${method.toUpperCase()} ${path}\``, summary]),
  );
  return renderRows([["endpoint", "what it does"], ["---", "---"], ...rows]);
}

/** One part per kind: what it is, and its settings. */
function renderBuckets(): string {
  const parts = [...bucketSchemas].map(
    ([type, schema]) =>
      `\`${type}\`: ${schema.description}.\n\n${renderSchemaTable(schema, ["name", "type"])}`,
  );
  return parts.join("\n\n");
}

function renderHooks(): string {
  const parts = Object.entries(hookKinds).map(
    ([type, { description, config }]) => `\`${type}\`: ${description}.\n\n${renderSchemaTable(config)}`,
  );
  return parts.join("\n\n");
}

function renderMetrics(): string {
  const code = (name: string) => `\`${name}\``;
  const rows = metrics.map(({ name, aliases, description }) => [
    code(name),
    aliases.map(code).join(", "),
    description,
  ]);
  const percentiles = [
    "`95percentile`",
    "`p95`",
    "Value that this percentage of the points does not exceed; any number from 0 to 100",
  ];
  return renderRows([["metric", "also", "what it is"], ["---", "---", "---"], ...rows, percentiles]);
}
