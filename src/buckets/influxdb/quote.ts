// Quoting of names, texts and patterns in InfluxQL.
import { invalid } from "../../core/errors.ts";
import type { NamePattern } from "../../core/input/name-pattern.ts";

/** `"name"`. @throws TorusError `invalid` for characters that InfluxQL cannot hold in any form */
export function quoteName(name: string): string {
  return `"${escapeFor(name, /[\\"]/g)}"`;
}

/** `'text'`. @throws TorusError `invalid` for characters that InfluxQL cannot hold in any form */
export function quoteText(text: string): string {
  return `'${escapeFor(text, /[\\']/g)}'`;
}

/** `/pattern/` that matches whole texts in any case. @throws as `quoteName` */
export function quotePattern({ regex }: NamePattern): string {
  if (/[\0\r\n]/.test(regex)) throw invalid("search", "must not hold NUL or the end of a line for InfluxDB");
  return `/(?is)^(?:${regex})$/`;
}

/** InfluxQL has three escapes: backslash, quote and `\n`. Its scanner ends at NUL and reads CR as a line feed. */
function escapeFor(text: string, special: RegExp): string {
  if (/[\0\r]/.test(text))
    throw invalid("", "InfluxDB has no way to write NUL or a carriage return in a name or tag");
  return text.replace(special, "\\$&").replaceAll("\n", "\\n");
}
