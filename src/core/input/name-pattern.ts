// Name patterns: case-insensitive substrings, or globs of a whole name with * and ?.
import { invalid } from "../errors.ts";

const MAX_LENGTH = 256;

export interface NamePattern {
  matches(name: string): boolean;
  /** The whole name as a regular expression without anchors and flags; dots stand for any character. */
  readonly regex: string;
  /** The whole name as the operand of LIKE, escaped by a backslash. */
  readonly like: string;
}

/**
 * Parses a pattern: `mem` matches every name that contains it, `node_*_bytes` and `web-?` match whole names.
 * @throws TorusError `invalid` for text that is empty, too long or contains NUL
 */
export function parsePattern(text: string): NamePattern {
  if (text === "" || text.length > MAX_LENGTH || text.includes("\0"))
    throw invalid(
      "search",
      `must be 1 to ${MAX_LENGTH} characters: a part of a name, or a name with * and ?`,
    );
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

/**
 * Whether a glob of letters matches a whole text. It backtracks to the last star only, so the time is at most the product
 * of both lengths, where a regular expression with many stars would take exponential time.
 * @param any wildcard for one letter; undefined: `*` is the only wildcard
 */
export function matchesGlob(glob: readonly string[], text: readonly string[], any?: string): boolean {
  let star = -1;
  let resume = 0;
  let at = 0;
  let i = 0;
  while (i < text.length) {
    if (glob[at] === "*") {
      star = at++;
      resume = i;
    } else if (at < glob.length && (glob[at] === any || glob[at] === text[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}
