// Plain values of YAML documents, or the first mistake in words; these hold no text of the document, which may be a secret.
import type { Document, ErrorCode } from "yaml";

/** Mistakes that people make; others are named by their code. */
const reasons: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: "a tab stands where spaces belong",
  BAD_INDENT: "the line is indented neither like its neighbours nor as a part of one",
  DUPLICATE_KEY: "the key stands twice",
  BLOCK_AS_IMPLICIT_KEY: "a colon stands within a value, or a line below it is indented: quote the value",
  BLOCK_IN_FLOW: "a comma is missing within {} or []",
  MULTILINE_IMPLICIT_KEY: "a colon with a space after the key is missing",
  MISSING_CHAR: "a closing quote or bracket, or a colon, is missing",
  BAD_SCALAR_START: "a text begins with %, @ or `: quote it",
  BAD_DQ_ESCAPE: "a backslash stands within double quotes: write two, or use single quotes",
  UNEXPECTED_TOKEN: "a quote, bracket or dash is left over: quote the whole text",
  MULTIPLE_DOCS: "a second document follows ---",
};

/** A mistake, with its place where it has one. */
export interface YamlMistake {
  readonly line?: number;
  readonly column?: number;
  readonly reason: string;
}

/** `file`, with line and column where the mistake has them. */
export function placeOf({ line, column }: YamlMistake, file: string): string {
  return line === undefined ? file : `${file}:${line}:${column}`;
}

/** Converts a document to plain values. @returns the first mistake instead, if there is one */
export function toPlain(
  document: Document.Parsed,
): { readonly value: unknown } | { readonly mistake: YamlMistake } {
  const [error] = document.errors;
  if (error) {
    const { line, col: column } = error.linePos?.[0] ?? { line: 1, col: 1 };
    const reason = reasons[error.code] ?? error.code.toLowerCase().replaceAll("_", " ");
    return { mistake: { line, column, reason } };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (isCircle(value)) return { mistake: { reason: "an alias stands within its own anchor" } };
    return { value };
  } catch {
    return {
      mistake: { reason: "an alias has no anchor, or there are too many: quote texts that begin with *" },
    };
  }
}

/** Whether a value holds itself. @param above the objects around it */
function isCircle(value: unknown, above = new Set<unknown>()): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (above.has(value)) return true;
  above.add(value);
  const found = Object.values(value).some((part) => isCircle(part, above));
  above.delete(value);
  return found;
}
