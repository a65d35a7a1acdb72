// Draft of a form: texts as they were typed, by path; read from settings, built into a body, compared for a PATCH.
import type { Field } from "./fields.ts";

/** Texts and switches by path, a stored number or boolean until another text is typed; the number of entries of a list of objects. Absent or empty: not given. */
export type Draft = Readonly<Record<string, string | boolean | number>>;

type Settings = Readonly<Record<string, unknown>>;

/** The draft of stored settings. @param settings the object that holds the fields */
export function readDraft(fields: readonly Field[], settings: Settings): Draft {
  return Object.assign({}, ...fields.map((field) => readField(field, settings[field.key])));
}

function readField(field: Field, value: unknown): Draft {
  if (value === undefined || value === null) return {};
  const { kind, path } = field;
  if (kind === "group") return readDraft(field.fields, value as Settings);
  if (kind === "items") {
    const entries = (Array.isArray(value) ? value : [value]) as readonly Settings[];
    const drafts = entries.map((entry, i) => readDraft(entryFields(field, i), entry));
    return Object.assign({ [path]: entries.length }, ...drafts);
  }
  if (kind === "switch") return { [path]: value === true };
  if (kind === "list" || kind === "choices")
    return { [path]: (Array.isArray(value) ? value : [value]).join("\n") };
  if (kind === "map") {
    const lines = Object.entries(value as Settings).map(([key, text]) => `${key}: ${text}`);
    return { [path]: lines.join("\n") };
  }
  if (kind === "json") return { [path]: JSON.stringify(value, null, 2) };
  return { [path]: typeof value === "number" || typeof value === "boolean" ? value : String(value) };
}

/** Fields of one entry of a list of objects, with the paths of that entry. */
export function entryFields({ path, fields }: Field & { kind: "items" }, index: number): readonly Field[] {
  return fields.map((field) => moveField(field, `${path}.${index}`));
}

/** The field within another object. */
function moveField(field: Field, base: string): Field {
  const path = `${base}.${field.key}`;
  if (field.kind !== "group") return { ...field, path };
  return { ...field, path, fields: field.fields.map((each) => moveField(each, path)) };
}

/** Entries of a list of objects; a required one has at least one. */
export function countEntries({ path, isRequired }: Field & { kind: "items" }, draft: Draft): number {
  return Math.max(Number(draft[path] ?? 0), isRequired ? 1 : 0);
}

/** The object of the fields that are given. */
export function buildBody(fields: readonly Field[], draft: Draft): Record<string, unknown> {
  const entries = fields.map((field) => [field.key, buildField(field, draft)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function buildField(field: Field, draft: Draft): unknown {
  const { kind, path, isRequired } = field;
  const given = draft[path];
  if (kind === "group") {
    const body = buildBody(field.fields, draft);
    return Object.keys(body).length > 0 || isRequired ? body : undefined;
  }
  if (kind === "items") {
    const count = countEntries(field, draft);
    const entries = Array.from({ length: count }, (_, i) => buildBody(entryFields(field, i), draft));
    return count > 0 ? entries : undefined;
  }
  if (kind === "switch" || typeof given === "number" || typeof given === "boolean") return given;
  // None chosen differs from the default: the server says whether it takes an empty list.
  if (kind === "choices") return given === undefined ? undefined : linesOf(String(given));
  return given === undefined || given.trim() === "" ? undefined : buildText(kind, given);
}

/** What is no number or no JSON stays as it was typed: the server says at which field it is wrong. */
function buildText(kind: Field["kind"], text: string): unknown {
  if (kind === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === "list") return linesOf(text);
  if (kind === "map") return Object.fromEntries(linesOf(text).map(splitPair));
  return kind === "json" ? parseJson(text) : text;
}

/** Choices of a draft, or the defaults. */
export function chosenOf({ path, fallback }: Field & { kind: "choices" }, draft: Draft): readonly string[] {
  const given = draft[path];
  return given === undefined ? fallback : linesOf(String(given));
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function splitPair(line: string): [string, string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a PATCH has to say: fields that differ, null for those that were emptied; secrets not typed stay. */
export function changesOf(fields: readonly Field[], before: Draft, after: Draft): Record<string, unknown> {
  const [old, next] = [buildBody(fields, before), buildBody(fields, after)];
  const changed = fields.filter(({ key }) => JSON.stringify(old[key]) !== JSON.stringify(next[key]));
  return Object.fromEntries(changed.map(({ key }) => [key, next[key] ?? null]));
}

/** The draft without one entry of a list of objects; later ones move up. */
export function removeEntry(field: Field & { kind: "items" }, draft: Draft, index: number): Draft {
  const count = countEntries(field, draft);
  const entries = Array.from({ length: count }, (_, i) => buildBody(entryFields(field, i), draft));
  const others = Object.entries(draft).filter(([path]) => !path.startsWith(`${field.path}.`));
  const rest = readField(field, entries.toSpliced(index, 1));
  return { ...Object.fromEntries(others), ...rest };
}

/**
 * A draft on settings that another writer has changed since it began: what was not touched follows them.
 * @param before what the draft began with
 * @param theirs what is stored now
 */
export function rebaseDraft(
  fields: readonly Field[],
  { before, mine, theirs }: { readonly before: Draft; readonly mine: Draft; readonly theirs: Draft },
): Draft {
  const touched = changesOf(fields, before, mine);
  const own = fields.filter(({ key }) => Object.hasOwn(touched, key)).map(({ path }) => path);
  const isMine = (path: string) => own.some((whole) => path === whole || path.startsWith(`${whole}.`));
  const rest = Object.entries(theirs).filter(([path]) => !isMine(path));
  return Object.fromEntries([...rest, ...Object.entries(mine).filter(([path]) => isMine(path))]);
}

/** Whether one of the paths is that of a field, or within it. */
export function touches(paths: Iterable<string>, field: string): boolean {
  return [...paths].some((path) => path === field || path.startsWith(`${field}.`));
}
