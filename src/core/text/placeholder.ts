// Placeholders in hook texts: `{model}`, `{score}`, ...; literal braces are `{{` and `}}`; one pass, never expanded again.
import { invalid } from "../errors.ts";
import { suggestClosest } from "../input/suggest.ts";

/** `{{` or `}}` or `{name}`, or a brace that stands alone. */
const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * Checks a text when it is configured.
 * @param prefix of placeholders whose rest is free, as in `{tag.host}`
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

/** Fills a checked text in. A placeholder without a value becomes empty. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(token, (whole: string, name: string | undefined) => {
    if (whole === "{{") return "{";
    if (whole === "}}") return "}";
    return name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? "") : "";
  });
}
