// A TypeBox object as a Markdown table: for settings whose only text is their schema.
import { type TObject, type TSchema, TypeGuard } from "@sinclair/typebox";

/** One row per key: name, what it may be, default, description. Keys in `without` are left out. */
export function renderSchemaTable(schema: TObject, without: readonly string[] = []): string {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties)
    .filter(([key]) => !without.includes(key))
    .map(([key, member]) => [
      `\`${key}\``,
      describeType(member),
      required.has(key) ? "required" : describeDefault(member),
      descriptionOf(member),
    ]);
  return renderRows([["setting", "value", "default", "what it does"], ["---", "---", "---", "---"], ...rows]);
}

/** Rows as Markdown. */
export function renderRows(rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

function describeType(schema: TSchema): string {
  const members = (schema.anyOf as TSchema[] | undefined)?.filter((member) => !TypeGuard.IsNull(member));
  if (members?.some((member) => String(member.format).startsWith("duration"))) return "duration";
  if (members) return members.map(describeType).join(", ");
  if (TypeGuard.IsLiteral(schema)) return `\`${schema.const}\``;
  if (TypeGuard.IsArray(schema)) return "list";
  if (TypeGuard.IsObject(schema))
    return `object: ${Object.keys(schema.properties)
      .map((key) => `\`${key}\``)
      .join(", ")}`;
  if (TypeGuard.IsInteger(schema)) return "whole number";
  return schema.type ?? "any";
}

function describeDefault({ default: value }: TSchema): string {
  return value === undefined ? "" : `\`${value}\``;
}

/** Of the schema itself, of the member that says something, or of all the keys. */
function descriptionOf(schema: TSchema): string {
  if (schema.description) return schema.description;
  const members: TSchema[] = schema.anyOf ?? [];
  const keys: TSchema[] = Object.values(schema.properties ?? {});
  return members.find(({ description }) => description)?.description ?? keys.map(descriptionOf).join("; ");
}
