// Body templates of webhooks: placeholders are filled before the JSON is serialised, so that no value needs escaping.
import { type Static, type TObject, Type } from "@sinclair/typebox";
import { redact } from "../../core/access/redact.ts";
import type { HookEvent } from "../../core/anomaly/event.ts";
import { severities } from "../../core/anomaly/severity.ts";
import { invalid } from "../../core/errors.ts";
import { checkPlaceholders, fillPlaceholders } from "../../core/input/placeholder.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { formatLocalDate } from "../../core/time/time.ts";
import { titleOf } from "./describe.ts";
import { composeGroup, type EventGroup, summarizeGroup } from "./group.ts";
import { urlSchema } from "./http.ts";
import { cutText, MAX_TITLE, placeholders, readValues, TAG_PREFIX } from "./text.ts";

/** Bytes of a template as JSON. */
const MAX_TEMPLATE_BYTES = 16_384;
/** Bytes of a filled body. */
export const MAX_BODY_BYTES = 262_144;
/** Characters of a value: services refuse long texts for good. */
const MAX_VALUE = 1000;
/** What stands for own values in previews. */
const HIDDEN = "***";

const templateRule =
  "must be an object or a list, whose texts may hold placeholders, of at most 16 KiB as JSON";
const valuesRule = "must be texts by name, of letters, digits, `_` and `-`";

const Template = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())], {
    description,
    rule: templateRule,
  });

/** Settings of a request of one's own form. */
export const bodySettings = {
  body: Type.Optional(
    Template("Body in place of Alertmanager's format: JSON, whose texts may hold placeholders"),
  ),
  end_body: Type.Optional(Template("The same for events that end something; default: `body`")),
  end_url: Type.Optional(
    urlSchema("URL for events that end something, at the same host; default: `url`; with `body` only"),
  ),
  format: Type.Optional(
    Type.Union([Type.Literal("json"), Type.Literal("form")], {
      default: "json",
      description: "How `body` is sent: as JSON, or as the fields of a form",
    }),
  ),
  values: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4096 }), {
      maxProperties: 50,
      description: "Secrets for `body` and the URLs, where `{values.NAME}` stands for one",
      rule: valuesRule,
    }),
  ),
};

type BodySettings = { readonly url: string } & Readonly<Static<TObject<typeof bodySettings>>>;
type Values = Readonly<Record<string, string>>;

/** Placeholders of URLs: none of their values is `..`, which would lead to another path. */
const urlPlaceholders = ["model", "episode"];
/** Names of fields that hold secrets. */
const secretKey =
  /(?:token|secret|password|credentials?|authorization|(?:api|access|auth|routing|integration|service|private)[-_]?key)$/i;
const secretRule =
  "is shown to readers of the hook: put the secret into values, and write {values.NAME} in its place";
const authorityPlaceholder = /^https?:\/\/[^/?#]*[{}]/i;

/** @throws TorusError `invalid` for a template that cannot be filled, or would show a secret */
export function checkBody(config: BodySettings, path: string): void {
  const { body, end_body, end_url, format, values = {} } = config;
  if (Object.keys(values).some((name) => !/^[\w-]{1,64}$/.test(name)))
    throw invalid(`${path}.values`, valuesRule);
  if (body === undefined) {
    const other = Object.entries({ end_body, end_url, format }).find(([, value]) => value !== undefined);
    if (other) throw invalid(`${path}.${other[0]}`, "is for a hook with body: set body, or leave it out");
    return;
  }
  const own = Object.keys(values).map((name) => `values.${name}`);
  checkUrls(config, own, path);
  for (const [key, template] of Object.entries({ body, end_body }))
    if (template !== undefined) checkTemplate(template, { own, format, path: `${path}.${key}` });
}

function checkUrls({ url, end_url }: BodySettings, own: readonly string[], path: string): void {
  for (const [key, text] of Object.entries({ url, end_url })) {
    if (text === undefined) continue;
    if (authorityPlaceholder.test(text))
      throw invalid(`${path}.${key}`, "must have no placeholder before its path");
    checkPlaceholders(text, [...urlPlaceholders, ...own], `${path}.${key}`);
  }
  if (end_url !== undefined && URL.parse(end_url)?.origin !== URL.parse(url)?.origin)
    throw invalid(`${path}.end_url`, "must be at the scheme, host and port of url");
}

interface TemplatePlace {
  /** Placeholders of own values. */
  readonly own: readonly string[];
  readonly format: BodySettings["format"];
  readonly path: string;
}

function checkTemplate(template: object, { own, format, path }: TemplatePlace): void {
  if (Buffer.byteLength(JSON.stringify(template)) > MAX_TEMPLATE_BYTES) throw invalid(path, templateRule);
  const isFlat =
    !Array.isArray(template) && Object.values(template).every((part) => typeof part !== "object");
  if (format === "form" && !isFlat)
    throw invalid(path, "must be an object of texts, numbers and booleans for a form");
  visitTexts(template, path, (text, place, key) => {
    checkPlaceholders(text, [...placeholders, ...own], place, TAG_PREFIX);
    const literal = text.replace(/\{[^{}]*\}/g, "");
    const isSecret = secretKey.test(key) && literal !== "" && !text.includes("{values.");
    if (isSecret || redact(literal) !== literal) throw invalid(place, secretRule);
  });
}

/** Texts at any depth, with their paths and the key they stand at. */
function visitTexts(
  part: unknown,
  path: string,
  see: (text: string, path: string, key: string) => void,
  key = "",
): void {
  if (typeof part === "string") see(part, path, key);
  if (typeof part !== "object" || part === null) return;
  for (const [name, inner] of Object.entries(part))
    visitTexts(inner, `${path}.${name.slice(0, 64)}`, see, Array.isArray(part) ? key : name);
}

/** Refuses groups for what needs each event by itself. @throws TorusError `invalid` */
export function checkGroupedBody({ url, body, end_body, end_url }: BodySettings, path: string): void {
  if (!JSON.stringify([url, body, end_body, end_url]).includes("{episode}")) return;
  throw invalid(
    `${path}.body`,
    "has {episode}, which is of a single event: leave the groups out, or the placeholder",
  );
}

/** What is sent for an event, or for a group of them. */
export interface BodyRequest {
  readonly url: string;
  readonly body: string;
  readonly contentType: string;
}

interface Filling {
  /** Whether all that it tells of is over. */
  readonly isOver: boolean;
  readonly values: Values;
  readonly isPreview?: boolean;
}

/** Fills the templates of a checked configuration. @param filling in a preview own values are hidden */
export function fillBody(config: BodySettings, { isOver, values, isPreview = false }: Filling): BodyRequest {
  const { url, body, end_body = body, end_url = url, format, values: own = {} } = config;
  const named = Object.entries(own).map(([name, value]) => [`values.${name}`, isPreview ? HIDDEN : value]);
  const cut = Object.entries(values).map(([name, value]) => [name, cutText(value.toWellFormed(), MAX_VALUE)]);
  const all: Values = Object.fromEntries([...cut, ...named]);
  const filled = fill(isOver ? end_body : body, all);
  const encoded = Object.entries(all).map(([name, value]) => [name, encodePart(value)]);
  const isForm = format === "form";
  return {
    url: fillPlaceholders(isOver ? end_url : url, Object.fromEntries(encoded)),
    body: isForm ? toForm(filled as object) : JSON.stringify(filled, null, isPreview ? 2 : 0),
    contentType: isForm ? "application/x-www-form-urlencoded" : "application/json",
  };
}

function fill(part: unknown, values: Values): unknown {
  if (typeof part === "string") return fillPlaceholders(part, values);
  if (Array.isArray(part)) return part.map((inner) => fill(inner, values));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner, values)]));
}

function toForm(fields: object): string {
  const texts = Object.entries(fields).map(([key, value]) => [key, String(value)]);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

/** A part of a path or a query; `:` stays, as some tokens hold it. */
function encodePart(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll("%3A", ":");
}

/** Values of an event; a test is marked in its texts, and every event has a severity. */
export function valuesOfEvent(event: HookEvent, timezone: string): Values {
  const values = readValues(event, timezone);
  const mark = event.test ? "[test] " : "";
  const summary = titleOf(event);
  return {
    ...values,
    title: cutText(summary, MAX_TITLE),
    summary,
    description: values.description && `${mark}${values.description}`,
    severity: values.severity || "warning",
  };
}

/** Values of a group; those of single events are empty. */
export function valuesOfGroup(group: EventGroup, timezone: string): Values {
  const { tags, events, url = "" } = group;
  const summary = summarizeGroup(group);
  const worst = Math.max(...events.map(({ severity = "warning" }) => severities.indexOf(severity)));
  return {
    ...Object.fromEntries(Object.entries(tags).map(([tag, value]) => [`${TAG_PREFIX}${tag}`, value])),
    title: cutText(summary, MAX_TITLE),
    summary,
    description: composeGroup({ tags, events }, timezone),
    url,
    severity: severities[worst]!,
    model: [...new Set(events.map(({ model }) => model))].join(", "),
    tags: describeSeries(tags),
    date: formatLocalDate(Math.max(...events.map(({ at }) => at)), timezone),
  };
}
