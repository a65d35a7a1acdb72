// Placeholders in hook texts, such as `{model}`: checked at configuration, filled in one pass; `{{` is a literal brace.
import { invalid } from "../errors.ts";
import { suggestClosest } from "./suggest.ts";

/** Characters of a filled text. */
export const MAX_FILLED = 262_144;

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

/**
 * Fills in a checked text; a placeholder without a value becomes empty. A text beyond `MAX_FILLED` characters ends in `...`:
 * one of many placeholders would be as long as all their values.
 */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const parts: string[] = [];
  let [length, from] = [0, 0];
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  for (const match of text.matchAll(token)) {
    const [whole, name] = match;
    add(text.slice(from, match.index));
    from = match.index + whole.length;
    if (whole === "{{" || whole === "}}") add(whole[0]!);
    else if (name !== undefined && Object.hasOwn(values, name)) add(values[name] ?? "");
    if (length > MAX_FILLED) break;
  }
  if (length <= MAX_FILLED) add(text.slice(from));
  const filled = parts.join("");
  return filled.length > MAX_FILLED ? `${filled.slice(0, MAX_FILLED)}...` : filled;
}
