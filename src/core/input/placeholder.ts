// Placeholders in hook texts, such as `{model}`: checked at configuration, filled in one pass; `{{` is a literal brace.
import { invalid } from "../errors.ts";
import { suggestClosest } from "./suggest.ts";

/** `{{`, `}}`, `{name}`, or a single brace. */
const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * Checks the placeholders of a configured text.
 * @param prefix of placeholders with a free rest, as in `{tag.host}`
 * @throws TorusError `invalid` for an unknown placeholder or a stray brace
 */
export function checkPlaceholders(
  text: string,
  known: readonly string[],
  path: string,
  prefix?: string,
): void {
  for (const [whole, name] of text.matchAll(token)) {
    if (whole === "{{" || whole === "}}") continue;
    if (name === undefined)
      throw invalid(path, `holds a stray ${whole}; write ${whole}${whole} for a literal brace`);
    if (known.includes(name)) continue;
    if (prefix !== undefined && name.startsWith(prefix) && name.length > prefix.length) continue;
    const near = suggestClosest(name, known);
    const hint = near
      ? `did you mean {${near}}?`
      : `known are ${known.map((word) => `{${word}}`).join(", ")}`;
    throw invalid(path, `{${name.slice(0, 64)}} is no placeholder; ${hint}`);
  }
}

/** Fills in a checked text; a placeholder without a value becomes empty. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(token, (whole: string, name: string | undefined) => {
    if (whole === "{{") return "{";
    if (whole === "}}") return "}";
    return name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? "") : "";
  });
}
