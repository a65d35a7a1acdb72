// Regular expressions of PromQL: RE2, whose time is linear in the text whatever the pattern.
import type { RE2JS } from "re2js";
import { badData, executionError } from "../errors.ts";

/** Longest pattern: Grafana joins the chosen values of a variable by `|`. */
const MAX_LENGTH = 20_000;
/** Of one pattern: the time of a match grows with them. */
const MAX_GROUPS = 100;
/** Characters with a meaning in patterns. */
const special = /[\\.+*?()|[\]{}^$]/;

interface Pattern {
  /** Whether the whole text matches. */
  matches(text: string): boolean;
  /** Groups of a text that matches as a whole, the whole first; null: it does not. */
  groupsOf(text: string): Groups | null;
  /** Steps that a match takes at most, about: of a pattern with groups for each of their ends. */
  costOf(text: string, hasGroups: boolean): number;
}

export interface Groups {
  /** Empty for a group that is not there, or took no part. */
  find(group: string): string;
}

/** Compiles a pattern, anchored at both ends. @throws PromqlError `bad_data`; `execution` for too many groups */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_LENGTH)
    throw badData(`a regular expression has at most ${MAX_LENGTH} characters, this one ${source.length}`);
  const words = source.split("|");
  const compiled = compile(source);
  const groups = compiled.groupCount();
  if (groups > MAX_GROUPS)
    throw executionError(`a regular expression has at most ${MAX_GROUPS} groups, this one ${groups}`);
  const size = compiled.programSize();
  const isWords = words.every((word) => !special.test(word));
  const known = new Set(words);
  return {
    matches: isWords ? (text) => known.has(text) : (text) => compiled.matches(text),
    groupsOf: (text) => findGroups(compiled, text),
    costOf: (text, hasGroups) => size * (text.length + 1) * (hasGroups ? 2 * (groups + 1) : 1),
  };
}

function compile(source: string): RE2JS {
  const { RE2JS } = load();
  try {
    return RE2JS.compile(source);
  } catch (error) {
    throw badData(error instanceof Error ? error.message : `invalid regular expression ${source}`);
  }
}

function findGroups(compiled: RE2JS, text: string): Groups | null {
  const matcher = compiled.matcher(text);
  if (!matcher.matches()) return null;
  const named: Readonly<Record<string, number>> = compiled.namedGroups();
  return {
    find(group) {
      const index = /^\d+$/.test(group) ? Number(group) : named[group];
      if (index === undefined || index > matcher.groupCount()) return "";
      return matcher.group(index) ?? "";
    },
  };
}

/** Its tables of Unicode are large: loaded at the first use. */
function load() {
  return require("re2js") as typeof import("re2js");
}
