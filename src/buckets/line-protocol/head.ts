// Head of a line in line protocol: measurement and tags, unescaped.
import { RecentCache } from "../../core/recent-cache.ts";
import { MAX_NAME, MAX_TAG_VALUE, MAX_TAGS, nameMistake } from "../../core/series/names.ts";

/** Measurement and tags of a line; equal texts are the same series. */
export interface Head {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Heads of the last lines: clients send the same series again and again. */
const recentHeads = new RecentCache<Head>(16_384);
/** Names of fields of the last lines, by their text. */
const recentFields = new RecentCache<string>(4096);
/** Values of text fields of the last lines. */
const recentTexts = new RecentCache<string>(4096);

/** As `parseHead`. */
export function findHead(raw: string): Head | string {
  const known = recentHeads.get(raw);
  if (known) return known;
  const own = copyText(raw);
  const head = parseHead(own);
  if (typeof head !== "string" && own === raw) recentHeads.set(own, head);
  return head;
}

/** The unescaped name of a field, with an error message where it is invalid. */
export function findFieldName(raw: string): ReadName {
  const known = recentFields.get(raw);
  if (known !== undefined) return { name: known, mistake: undefined };
  const read = readName(raw, "field");
  if (read.mistake === undefined) recentFields.set(copyText(raw), copyText(read.name));
  return read;
}

/** The value of a text field; most senders repeat a few. */
export function findText(raw: string): string {
  const known = recentTexts.get(raw);
  if (known !== undefined) return known;
  const own = copyText(raw);
  recentTexts.set(own, own);
  return own;
}

/** A copy: a part of a text keeps all of the text in memory. Of valid UTF-8; of other texts nothing is kept. */
function copyText(raw: string): string {
  return Buffer.from(raw).toString();
}

const measurementEscapes = /\\([, ])/g;
const tagEscapes = /\\([,= ])/g;
const fieldEscapes = /\\([,= "])/g;

function removeEscapes(text: string, escapes: RegExp): string {
  return text.includes("\\") ? text.replace(escapes, "$1") : text;
}

/** An unescaped comma or equals sign. */
const [bareComma, bareEquals] = [/(?<!\\),/, /(?<!\\)=/];

/** @returns the parsed head, or an error message */
function parseHead(raw: string): Head | string {
  const [name = "", ...pairs] = raw.trimEnd().split(bareComma);
  const measurement = removeEscapes(name, measurementEscapes);
  if (measurement === "") return "missing measurement";
  if (measurement.length > MAX_NAME) return "measurement too long";
  if (pairs.length > MAX_TAGS) return `too many tags; a point has at most ${MAX_TAGS}`;
  const tags: Record<string, string> = {};
  for (const pair of pairs) {
    const [rawTag = "", rawValue = "", ...rest] = pair.split(bareEquals);
    if (rest.length > 0) return "invalid tag format";
    const { name: tag, mistake } = readName(rawTag, "tag");
    if (mistake !== undefined) return mistake;
    const value = removeEscapes(rawValue, tagEscapes);
    if (value === "") return "missing tag value";
    if (value.length > MAX_TAG_VALUE) return "tag value too long";
    if (Object.hasOwn(tags, tag)) return "duplicate tags";
    tags[tag] = value;
  }
  return { measurement, tags };
}

interface ReadName {
  readonly name: string;
  readonly mistake: string | undefined;
}

/** The unescaped name of a tag or a field. */
function readName(raw: string, what: "tag" | "field"): ReadName {
  const name = removeEscapes(raw, what === "tag" ? tagEscapes : fieldEscapes);
  return { name, mistake: refuseName(name, what) };
}

function refuseName(name: string, what: "tag" | "field"): string | undefined {
  const mistake = nameMistake(name);
  if (mistake === "empty") return `missing ${what} key`;
  if (mistake === "reserved") return `invalid ${what} key: ${name} is reserved`;
  return mistake && `${what} key too long`;
}
