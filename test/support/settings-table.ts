// The settings as a Markdown table, read off their schema.
import type { TSchema } from "@sinclair/typebox";
import { listSettings } from "../../src/settings/schema.ts";

/** One row per setting: name, variable, default, description. */
export function renderSettingsTable(): string {
  const rows = listSettings().map(({ path, variable, schema }) => [
    `\`${path}\``,
    isScalar(schema) ? `\`${variable}\`` : "",
    renderDefault(schema),
    schema.description ?? "",
  ]);
  const lines = [
    ["setting", "environment", "default", "what it does"],
    ["---", "---", "---", "---"],
    ...rows,
  ];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

function isScalar(schema: TSchema): boolean {
  return schema.type !== "array";
}

function renderDefault({ default: value }: TSchema): string {
  return value === undefined || value === "" ? "" : `\`${value}\``;
}
