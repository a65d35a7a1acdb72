// Spelling that the grammar reads, in place of the one of Prometheus 2 that it does not: the length stays the same.

/** Texts, comments and names are left as they are; a number ends with its dot where no digit follows. */
const tokens =
  /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`[^`]*`?|#[^\n]*|holt_winters(?=\s*\()|0X(?=[\da-fA-F])|[a-zA-Z_:][\w:]*|\d*\.\d+|\d+\.(?!\d)|\d+/gs;

/** Any function of the same length, as the name is read from the query itself, and hexadecimal numbers. */
const renamed: Readonly<Record<string, string>> = { holt_winters: "day_of_month", "0X": "0x" };

/** @returns a query for the grammar, whose places are those of the text */
export function legible(text: string): string {
  return text.replace(tokens, (token) => renamed[token] ?? token.replace(/^(\d+)\.$/, "$10"));
}
