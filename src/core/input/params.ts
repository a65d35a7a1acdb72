// Template parameters: `{{name}}` in any text of a JSON value, replaced in one pass, without expressions.
import { invalid } from "../errors.ts";

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Value of a parameter. */
export type ParamValue = string | number | boolean | null;

/** Whether a value is text with a parameter. */
export function isOpenText(value: unknown): boolean {
  return typeof value === "string" && findParams(value).length > 0;
}

/** Names of the parameters in a value, sorted, each once; keys of objects are not searched. */
export function findParams(value: unknown): string[] {
  const found = new Set<string>();
  mapTexts(value, (text) => {
    for (const [, name] of text.matchAll(placeholder)) found.add(name!);
    return text;
  });
  return [...found].sort();
}

/**
 * Replaces every `{{name}}`. A text of one placeholder alone takes the type of the value, so that `"{{limit}}"` can
 * become a number; within longer text the value is formatted. Values are not expanded again.
 * @throws TorusError `invalid` naming the missing parameters
 */
export function fillTemplate(value: unknown, params: Readonly<Record<string, ParamValue>>): unknown {
  const missing = findParams(value).filter((name) => !Object.hasOwn(params, name));
  if (missing.length > 0) {
    const names = missing.join(", ");
    throw invalid(
      missing[0]!,
      `is missing: the template needs ${missing.length > 1 ? `values for ${names}` : `a value for ${names}`}`,
    );
  }
  return mapTexts(value, (text) => {
    const whole = new RegExp(`^${placeholder.source}$`).exec(text);
    if (whole) return params[whole[1]!];
    return text.replace(placeholder, (_, name: string) => String(params[name] ?? ""));
  });
}

/** A text as a glob: `*` in place of each parameter. */
export function globOfParams(text: string): string {
  return text.replace(placeholder, "*");
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}
