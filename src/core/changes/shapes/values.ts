// Values of bodies whose schema is that of another system: read where they have the expected type.
import { isRecord } from "../../input/json.ts";
import { MAX_TAG, MAX_TITLE } from "../change.ts";

export type Body = Readonly<Record<string, unknown>>;

/** A change that is not checked yet. */
export type Draft = Body;

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
  return text.replace(/\p{Cc}/gu, " ").trim();
}

/** Its tags with a value, cut to the length of one. */
export function tagsOf(values: Body): Readonly<Record<string, string>> {
  const texts = Object.entries(values).flatMap(([tag, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[tag, lineOf(text).slice(0, MAX_TAG)] as const];
  });
  return Object.fromEntries(texts);
}

/** Without the keys whose value is not known. */
export function knownOf(values: Body): Draft {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The first that is an address of a page. */
export function pageOf(...values: readonly unknown[]): string | undefined {
  return values
    .map((value) => textOf(value))
    .find((text) => text !== undefined && /^https?:\/\/\S+$/.test(text));
}
