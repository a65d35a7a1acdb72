// Types of the TypeScript client: one per schema of the API.
import type { Api, Schema } from "../api.ts";
import { typescriptKey } from "../names.ts";
import type { Field, ObjectShape, Shape } from "../shapes.ts";

/** The module of all schemas. */
export function writeTypes({ schemas }: Api): string {
  return `${["// Schemas of the API.", ...schemas.map(writeSchema)].join("\n\n")}\n`;
}

/** A comment above a declaration, or nothing. */
export function comment(text: string, indent = ""): string {
  const safe = text.replaceAll("*/", "*\\/").trim();
  return safe ? `${indent}/** ${safe.replace(/\s*\n\s*/g, " ")} */\n` : "";
}

function writeSchema({ name, shape, description }: Schema): string {
  const head = comment(description);
  if (shape.kind === "object") return `${head}export interface ${name} ${typeOfObject(shape, "")}`;
  return `${head}export type ${name} = ${typeOf(shape)};`;
}

/** A type expression. @param indent of the line it begins on */
export function typeOf(shape: Shape, indent = ""): string {
  switch (shape.kind) {
    case "any":
      return "unknown";
    case "integer":
      return "number";
    case "literal":
      return JSON.stringify(shape.value);
    case "ref":
      return shape.name;
    case "list":
      return `readonly ${inBrackets(shape.items, indent)}[]`;
    case "map":
      return `{ readonly [key: string]: ${typeOf(shape.values, indent)} }`;
    case "object":
      return typeOfObject(shape, indent);
    case "union":
      return [...new Set(shape.members.map((member) => inUnion(member, indent)))].join(" | ");
    default:
      return shape.kind;
  }
}

function typeOfObject({ fields, open }: ObjectShape, indent: string): string {
  const inner = `${indent}  `;
  const lines = fields.map((field) => writeField(field, inner));
  if (open) lines.push(`${inner}readonly [key: string]: unknown;`);
  return lines.length === 0 ? "Readonly<Record<string, never>>" : `{\n${lines.join("\n")}\n${indent}}`;
}

function writeField({ name, shape, required, description }: Field, indent: string): string {
  const key = `${typescriptKey(name)}${required ? "" : "?"}`;
  return `${comment(description, indent)}${indent}readonly ${key}: ${typeOf(shape, indent)};`;
}

function inBrackets(shape: Shape, indent: string): string {
  const type = typeOf(shape, indent);
  return shape.kind === "union" || shape.kind === "list" ? `(${type})` : type;
}

function inUnion(shape: Shape, indent: string): string {
  const type = typeOf(shape, indent);
  return shape.kind === "list" ? `(${type})` : type;
}
