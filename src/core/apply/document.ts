// Parses one document of a file into resources: sections of a settings file, or one resource with its `kind`.
import { type Static, Type } from "@sinclair/typebox";
import { type FieldError, fieldErrorsOf, invalid, TorusError } from "../errors.ts";
import { isRecord } from "../input/json.ts";
import { check } from "../input/schema.ts";
import { suggestClosest } from "../input/suggest.ts";
import { dateSchema } from "../time/date-schema.ts";
import { type ResourceKind, resourceKinds, sectionOf } from "./kinds.ts";
import type { Resource } from "./resource.ts";

const instant = dateSchema({ rule: "must be a date, seconds, or as in now-7d" });

/** `train` of a model: parameters of its first training. */
const Train = Type.Object(
  {
    from: instant,
    to: Type.Optional(instant),
    max_evals: Type.Optional(Type.Integer()),
    epochs: Type.Optional(Type.Integer()),
    seed: Type.Optional(Type.Integer()),
    input_bucket: Type.Optional(Type.String()),
  },
  { additionalProperties: false, title: "train" },
);
type Train = Static<typeof Train>;

/** `live` of a model: parameters of its start. */
const Live = Type.Object(
  {
    detect_anomalies: Type.Optional(Type.Boolean()),
    save_output_data: Type.Optional(Type.Boolean()),
    output_bucket: Type.Optional(Type.String()),
  },
  { additionalProperties: false, title: "live" },
);
export type Live = Static<typeof Live>;

/** A resource and its place in the document, as in `models.0.hooks.1`; empty for the whole document. */
export interface Entry {
  readonly resource: Resource;
  readonly path: string;
}

/** Training and live detection requested for a model once it exists. */
export interface ModelWork {
  readonly model: string;
  readonly train?: Train;
  /** False: not live. */
  readonly live?: Live | false;
}

export interface DocumentContent {
  readonly entries: Entry[];
  /** Kinds with a section in the document, even an empty one. */
  readonly kinds: Set<ResourceKind>;
  readonly works: ModelWork[];
  /** Errors, with their places in the document. */
  readonly mistakes: FieldError[];
}

const sections: ReadonlyMap<string, ResourceKind> = new Map([
  ...resourceKinds.map((kind) => [sectionOf[kind], kind] as const),
  ["datasources", "bucket"],
]);

/** Parses a document; an error in one part does not hide those of others. */
export function readDocument(value: unknown): DocumentContent {
  const content: DocumentContent = { entries: [], kinds: new Set(), works: [], mistakes: [] };
  collect(content, () => {
    if (!isRecord(value))
      throw invalid("", "must hold sections, as in {models: [...]}, or one resource with its kind");
    if (value.kind !== undefined) readSingle(value, content);
    else
      for (const [name, list] of Object.entries(value))
        collect(content, () => readSection(name, list, content));
  });
  return content;
}

function readSingle({ kind, ...rest }: Record<string, unknown>, content: DocumentContent): void {
  const known = resourceKinds.find((name) => name === kind);
  if (!known) throw invalid("kind", `must be one of ${resourceKinds.join(", ")}`);
  readResource(known, rest, { content, path: "" });
}

function readSection(name: string, list: unknown, content: DocumentContent): void {
  const kind = sections.get(name);
  if (!kind) {
    const near = suggestClosest(name, [...sections.keys()]);
    throw invalid(
      name,
      `is no section here; ${near ? `did you mean ${near}?` : `there are ${[...sections.keys()].join(", ")}`}`,
    );
  }
  content.kinds.add(kind);
  // A YAML section without a value is an empty list.
  if (list === null) return;
  const isGlobal = name === "hooks" && isRecord(list) && Object.keys(list).join() === "global";
  if (isGlobal) readList(kind, list.global, { content, path: "hooks.global" });
  else readList(kind, list, { content, path: name });
}

function readList(kind: ResourceKind, list: unknown, { content, path: name }: Place): void {
  if (list === null) return;
  if (!Array.isArray(list)) throw invalid(name, "must be a list");
  for (const [index, item] of list.entries()) {
    const path = `${name}.${index}`;
    collect(content, () => readResource(kind, item, { content, path }));
  }
}

interface Place {
  readonly content: DocumentContent;
  readonly path: string;
}

function readResource(kind: ResourceKind, item: unknown, { content, path }: Place): void {
  if (!isRecord(item)) throw invalid(path, "must hold settings by name");
  content.kinds.add(kind);
  if (kind === "model") readModel(item, { content, path });
  else if (kind === "template") readTemplate(item, { content, path });
  else if (kind === "hook") readHook(item, { content, path });
  else content.entries.push({ resource: { kind, settings: item }, path });
}

/** A hook without a model is a global one. */
function readHook({ model, ...settings }: Record<string, unknown>, { content, path }: Place): void {
  if (model !== undefined && typeof model !== "string")
    throw invalid(within(path, "model"), "must be the name of a model; without it the hook is a global one");
  const key = { kind: "hook", ...(model !== undefined && { model }) } as const;
  content.entries.push({ resource: { ...key, settings }, path });
}

function readTemplate(item: Record<string, unknown>, { content, path }: Place): void {
  // Views of templates have `params`, which is derived from the settings.
  const { name, settings, params: _, ...others } = item;
  const [other] = Object.keys(others);
  if (other !== undefined) throw invalid(within(path, other), "is unknown; a template is {name, settings}");
  if (typeof name !== "string") throw invalid(within(path, "name"), "is required: the name of the template");
  if (!isRecord(settings)) throw invalid(within(path, "settings"), "is required: the settings of a model");
  content.entries.push({ resource: { kind: "template", name, settings }, path });
}

function readModel(item: Record<string, unknown>, { content, path }: Place): void {
  const { hooks = [], train, live, ...settings } = item;
  content.entries.push({ resource: { kind: "model", settings }, path });
  const model = String(settings.name);
  if (!Array.isArray(hooks)) throw invalid(within(path, "hooks"), "must be a list of hooks");
  for (const [index, hook] of hooks.entries()) {
    const place = within(path, `hooks.${index}`);
    if (!isRecord(hook)) throw invalid(place, "must hold settings by name");
    content.entries.push({ resource: { kind: "hook", model, settings: hook }, path: place });
  }
  const work: ModelWork = {
    model,
    ...(train !== undefined && { train: check(Train, train, within(path, "train")) }),
    ...(live !== undefined && { live: readLive(live, within(path, "live")) }),
  };
  if (work.train || work.live !== undefined) content.works.push(work);
}

function readLive(live: unknown, path: string): Live | false {
  if (typeof live === "boolean") return live && { detect_anomalies: true };
  return check(Live, live, path);
}

function within(path: string, key: string): string {
  return path ? `${path}.${key}` : key;
}

function collect({ mistakes }: DocumentContent, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    mistakes.push(...fieldErrorsOf(error));
  }
}
