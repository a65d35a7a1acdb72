// Values of bodies whose schema is that of another system: read where they have the expected type, and left out or cut
// where a change has no such value, as nobody there reads a refusal.

import { Value } from "@sinclair/typebox/value";
import { isRecord } from "../../input/json.ts";
import {
  ADDRESS,
  ChangeKind,
  CONTROL,
  MAX_ADDRESS,
  MAX_TAG,
  MAX_TAGS,
  MAX_TITLE,
  TagName,
} from "../change.ts";

export type Body = Readonly<Record<string, unknown>>;

/** A change that is not checked yet. */
export type Draft = Body;

const controls = new RegExp(`[${CONTROL}]`, "g");
const address = new RegExp(ADDRESS);

/** The first that is a text with content, without blanks around it. */
export function textOf(...values: readonly unknown[]): string | undefined {
  for (const value of values) if (typeof value === "string" && value.trim() !== "") return value.trim();
  return undefined;
}

/** The object, or an empty one. */
export function bodyOf(value: unknown): Body {
  return isRecord(value) ? value : {};
}

/** The first line, cut to the length of a title. */
export function titleOf(text: string): string {
  const line = lineOf(text.split(/[\r\n]/, 1)[0]!);
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1)}…`;
}

/** With blanks in place of control characters. */
function lineOf(text: string): string {
  return text.replace(controls, " ").trim();
}

/** Its tags with a value, cut to the length of one; the first as many as a change has. */
export function tagsOf(values: Body): Readonly<Record<string, string>> {
  const texts = Object.entries(values).flatMap(([tag, value]) => {
    const text = textOf(value);
    if (text === undefined || !Value.Check(TagName, tag)) return [];
    return [[tag, lineOf(text).slice(0, MAX_TAG)] as const];
  });
  return Object.fromEntries(texts.slice(0, MAX_TAGS));
}

/** Without the keys whose value is not known. */
export function knownOf(values: Body): Draft {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The first that is an address of a page. */
export function pageOf(...values: readonly unknown[]): string | undefined {
  return values
    .map((value) => textOf(value))
    .find((text) => text !== undefined && text.length <= MAX_ADDRESS && address.test(text));
}

/** A word that a change has as its kind. */
export function kindOf(value: unknown): string | undefined {
  return Value.Check(ChangeKind, value) ? value : undefined;
}

/** The end; undefined where it is before the start, or no time: by clocks that differ, or while the end is not known. */
export function endOf(start: string | undefined, value: unknown): string | undefined {
  const end = textOf(value);
  if (end === undefined || start === undefined) return end;
  return Date.parse(end) >= Date.parse(start) ? end : undefined;
}
