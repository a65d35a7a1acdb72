// Generated blocks of the documents: their names and content.
import { parts } from "../../.ci/parts.ts";
import { bucketSchemas } from "../../src/buckets/index.ts";
import { exitCodes } from "../../src/cli/command/exit-codes.ts";
import { usageOf } from "../../src/cli/command/help.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { presets } from "../../src/cli/presets/index.ts";
import { Preset, PresetModel } from "../../src/cli/presets/preset.ts";
import type { Options } from "../../src/core/formats/command-line.ts";
import { Feature } from "../../src/core/model/feature.ts";
import { ModelSettings } from "../../src/core/model/model.ts";
import { hookKinds } from "../../src/hooks/index.ts";
import type { ApiDocument } from "../../src/http/docs/openapi-document.ts";
import { metrics } from "../../src/metrics/index.ts";
import { listSettings } from "../../src/settings/schema.ts";
import { createFakeApp, send } from "../support/fake-app.ts";
import { renderRows, renderSchemaTable } from "../support/schema-table.ts";
import { renderSettingsTable } from "../support/settings-table.ts";
import { listCaps } from "./caps.ts";
import { renderGrowth, renderSpeed } from "./speed.ts";

/** The API as it describes itself. */
const api = (await (await send(createFakeApp(), "GET /openapi.json")).json()) as ApiDocument;

/** Generated text by the name of its block: `<!-- settings -->` ... `<!-- /settings -->`. */
const blocks: Readonly<Record<string, () => string>> = {
  commands: renderCommands,
  "exit-codes": renderExitCodes,
  binary: renderParts,
  endpoints: renderEndpoints,
  settings: renderSettingsTable,
  buckets: renderBuckets,
  hooks: renderHooks,
  model: () => renderSchemaTable(ModelSettings),
  feature: () => renderSchemaTable(Feature),
  metrics: renderMetrics,
  preset: () => renderSchemaTable(Preset),
  "preset-model": () => renderSchemaTable(PresetModel),
  presets: renderPresets,
  limits: renderLimits,
  caps: renderCaps,
  speed: renderSpeed,
  growth: renderGrowth,
};

export const blockNames: readonly string[] = Object.keys(blocks);

/** Those that hold what was measured, and not what there is. */
export const measuredBlocks: readonly string[] = ["speed", "growth"];

/** The text with every block it has brought up to date. */
export function updateBlocks(text: string): string {
  let updated = text;
  for (const [name, render] of Object.entries(blocks)) {
    const pattern = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    updated = updated.replace(pattern, (_all, open: string, close: string) => `${open}${render()}\n${close}`);
  }
  return updated;
}

function renderCommands(): string {
  const shown = commands.filter(({ isHidden }) => !isHidden);
  const rows = shown.map((command) => {
    const usage = usageOf({ arguments: command.arguments, options: requiredOptions(command.options) });
    return [`\`${`${command.name} ${usage}`.trimEnd()}\``, command.summary];
  });
  return renderRows([["command", "what it does"], ["---", "---"], ...rows]);
}

function renderExitCodes(): string {
  const rows = exitCodes.map(([code, meaning]) => [`\`${code}\``, meaning]);
  return renderRows([["exit code", "meaning"], ["---", "---"], ...rows]);
}

function renderParts(): string {
  const rows = Object.entries(parts).map(([name, { ceilingMb, what }]) => [name, String(ceilingMb), what]);
  return renderRows([["part", "at most, MB", "what it is"], ["---", "---:", "---"], ...rows]);
}

/** The others are in the help of the command. */
function requiredOptions(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, { required }]) => required));
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

function renderPresets(): string {
  const rows = presets.map(({ name, title, models }) => [
    `\`${name}\``,
    title,
    models.map((model) => `\`${model.name}\``).join(", "),
  ]);
  return renderRows([["preset", "what it watches", "models"], ["---", "---", "---"], ...rows]);
}

/** Limits that a setting changes. */
function renderLimits(): string {
  const limits = listSettings().filter(
    ({ path }) => path.startsWith("server.limits.") || path.endsWith("_ttl"),
  );
  const rows = limits.map(({ path, schema }) => [
    `\`${path}\``,
    `\`${schema.default}\``,
    schema.description ?? "",
  ]);
  return renderRows([["setting", "default", "what it bounds"], ["---", "---", "---"], ...rows]);
}

/** Limits that are what they are. */
function renderCaps(): string {
  const rows = listCaps().map(([what, cap, most]) => [what, cap, String(most)]);
  return renderRows([["what", "cap", "at most"], ["---", "---", "--:"], ...rows]);
}
