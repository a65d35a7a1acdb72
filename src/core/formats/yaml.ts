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
  RESOURCE_EXHAUSTION: "lists and objects are nested too deeply",
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

/** Value of a document, or its first mistake. */
export type YamlRead = { readonly value: unknown } | { readonly mistake: YamlMistake };

const options = { merge: true, prettyErrors: true } as const;
/** Loaded with the first document: it would slow the start of every command. */
const library = () => require("yaml") as typeof import("yaml");

/** Reads a text of one document to plain values. */
export function readYaml(text: string): YamlRead {
  return toPlain(library().parseDocument(text, options), text);
}

/** Reads a text of several documents, parted by `---`. */
export function readYamlDocuments(text: string): YamlRead[] {
  return Array.from(library().parseAllDocuments(text, options), (document) => toPlain(document, text));
}

function toPlain(document: Document.Parsed, text: string): YamlRead {
  const [error] = document.errors;
  if (error) {
    const { line, col: column } = error.linePos?.[0] ?? { line: 1, col: 1 };
    const reason = reasons[error.code] ?? error.code.toLowerCase().replaceAll("_", " ");
    return { mistake: { line, column, reason } };
  }
  const offset = findComposedKey(document.contents);
  if (offset !== undefined)
    return { mistake: { ...placeAt(text, offset), reason: "a key is a list or an object: quote the text" } };
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

interface NodeLike {
  readonly items?: readonly unknown[];
  readonly range?: readonly number[] | null;
}

/**
 * Finds a key that is a list or an object, as in `name: {{host}}`: the library would make a text of it, which of 500 keys
 * within keys takes a minute.
 * @returns characters before it
 */
function findComposedKey(root: unknown): number | undefined {
  const left = [root as NodeLike | null | undefined];
  while (left.length > 0)
    for (const item of left.pop()?.items ?? []) {
      const { key, value } = item as { key?: NodeLike | null; value?: NodeLike | null };
      if (key?.items) return key.range?.[0] ?? 0;
      left.push(value, item as NodeLike);
    }
  return undefined;
}

/** Line and column, from 1. */
function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
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
