// Patterns of names: a part of a name or, with * and ?, a whole one; upper and lower case are equal.
import { invalid } from "../errors.ts";
import { matchesGlob } from "./glob.ts";

const MAX_LENGTH = 256;

export interface NamePattern {
  matches(name: string): boolean;
  /** The whole name as a regular expression without anchors and flags; dots stand for any character. */
  readonly regex: string;
  /** The whole name as the operand of LIKE, escaped by a backslash. */
  readonly like: string;
}

/**
 * Reads a pattern: `mem` matches every name that contains it, `node_*_bytes` and `web-?` match whole names.
 * @throws TorusError `invalid` for a text that is empty, too long or holds NUL
 */
export function parsePattern(text: string, path = "search"): NamePattern {
  if (text === "" || text.length > MAX_LENGTH || text.includes("\0"))
    throw invalid(path, `must be 1 to ${MAX_LENGTH} characters: a part of a name, or a name with * and ?`);
  const glob = /[*?]/.test(text) ? text : `*${text}*`;
  const letters = [...glob.replaceAll(/\*+/g, "*")];
  const folded = letters.map(fold);
  return {
    regex: letters.map(toRegex).join(""),
    like: letters.map(toLike).join(""),
    matches: (name) => matchesGlob(folded, [...name].map(fold), "?"),
  };
}

function fold(letter: string): string {
  return letter.toLowerCase();
}

function toRegex(letter: string): string {
  if (letter === "*") return ".*";
  return letter === "?" ? "." : letter.replace(/[\\^$.+()[\]{}|/]/, "\\$&");
}

function toLike(letter: string): string {
  if (letter === "*") return "%";
  return letter === "?" ? "_" : letter.replace(/[\\%_]/, "\\$&");
}
