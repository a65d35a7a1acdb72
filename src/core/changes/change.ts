// Recorded changes: deployments, configuration and the like, which may be the cause of an anomaly.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { coerceStrings } from "../input/coerce.ts";
import { withoutKeys } from "../input/json.ts";
import { check } from "../input/schema.ts";
import { dateSchema } from "../time/date-schema.ts";
import { parseDate } from "../time/time.ts";
import { DEFAULT_KIND } from "./name.ts";

/** Longest title, address, name of a tag and value of a tag, in characters; most tags. */
export const MAX_TITLE = 256;
export const MAX_ADDRESS = 2048;
export const MAX_TAG = 256;
export const MAX_TAGS = 32;
/** Keys that views add to a change; ignored, so that clients may send back a view. */
const viewOnly = ["created_timestamp"];
/** Changes of one request. */
export const MAX_CHANGES = 1000;

const instant = (description: string) =>
  Type.Optional(
    dateSchema({ description, rule: "must be a date such as 2026-01-31T12:00:00Z, now or now-5m" }),
  );

export const ChangeKind = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$",
  description: "What was changed, in one word: `deploy`, `config`, `flag`, `migration` and so on",
  rule: "must be a word of at most 32 letters, digits, _ and -, as in deploy or config",
});

export const ChangeId = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$",
  description: "Id of the change",
  examples: ["web-1.9.2"],
  rule: "must be 1 to 128 letters, digits, _, -, . and :, and begin with a letter or a digit",
});

/**
 * Control characters, which no text of a change has: PostgreSQL reads no JSON with NUL, and separators of lines or marks
 * of direction reorder the texts around them.
 */
export const CONTROL = "\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069";
/** Pattern of an address of a page; without a user and a password, which all who read changes would see. */
export const ADDRESS = `^https?://[^\\s${CONTROL}/?#@]+([/?#][^\\s${CONTROL}]*)?$`;
const TAGS_RULE = `must be at most ${MAX_TAGS} texts by tag, each one line of at most ${MAX_TAG} characters that are no control characters, as in {"service": "web"}`;
/** Name of a tag. */
export const TagName = Type.String({
  pattern: `^(?!\\s*$)[^${CONTROL}]+$`,
  maxLength: MAX_TAG,
  rule: TAGS_RULE,
});
const tagValue = Type.String({ pattern: `^[^${CONTROL}]*$`, maxLength: MAX_TAG, rule: TAGS_RULE });

export const ChangeTags = Type.Record(Type.String(), tagValue, {
  maxProperties: MAX_TAGS,
  description: "Tags of what was changed, as series have them; empty: it may concern all",
  examples: [{ service: "web", environment: "production" }],
  rule: TAGS_RULE,
});
export type ChangeTags = Readonly<Static<typeof ChangeTags>>;

export const changeProperties = {
  kind: ChangeKind,
  title: Type.String({
    pattern: `^(?!\\s*$)[^${CONTROL}]+$`,
    maxLength: MAX_TITLE,
    description: "What people call it",
    examples: ["web 1.9.2"],
    rule: `must be one line of 1 to ${MAX_TITLE} characters, none of them a control character`,
  }),
  tags: ChangeTags,
  url: Type.Optional(
    Type.String({
      pattern: ADDRESS,
      maxLength: MAX_ADDRESS,
      description: "Address of a page about it",
      rule: `must be an address of at most ${MAX_ADDRESS} characters, without user and password, as in https://ci.example.org/runs/7`,
    }),
  ),
};

/** One change of a request. */
export const ChangeInput = Type.Object(
  {
    id: Type.Optional({
      ...ChangeId,
      description: "Id; a change with the same id is replaced. Default: a UUID",
    }),
    at: instant("When it began; default: now"),
    end: instant("When it was complete; default: at once"),
    ...changeProperties,
    kind: Type.Optional({ ...ChangeKind, default: DEFAULT_KIND }),
    tags: Type.Optional(ChangeTags),
  },
  { additionalProperties: false, title: "change", $id: "ChangeInput" },
);
export type ChangeInput = Static<typeof ChangeInput>;

/** A change. */
export interface RecordedChange {
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  /** When it was complete; null: it took no time. */
  readonly endAt: number | null;
  readonly kind: string;
  readonly title: string;
  readonly url: string | null;
  readonly tags: ChangeTags;
}

/** A change, checked; without an id where it needs a new one. */
export type NewChange = Omit<RecordedChange, "id"> & { readonly id: string | undefined };

/**
 * Checks a change.
 * @param nowAt ms since the epoch; the default of `at`, and where relative dates start
 * @param path of the change in the body
 * @throws TorusError `invalid`
 */
export function checkChange(body: unknown, nowAt: number, path = ""): NewChange {
  const given = coerceStrings(ChangeInput, withoutKeys(body, viewOnly));
  const { id, at, end, kind, title, url, tags } = check(ChangeInput, given, path);
  const place = (key: string) => (path ? `${path}.${key}` : key);
  const startAt = at === undefined ? nowAt : parseDate(at, nowAt, place("at"));
  const endAt = end === undefined ? null : parseDate(end, nowAt, place("end"));
  if (endAt !== null && endAt < startAt) throw invalid(place("end"), "must not be before at");
  return {
    ...{ id, at: startAt, endAt, kind: kind ?? DEFAULT_KIND },
    title: title.toWellFormed(),
    url: url?.toWellFormed() ?? null,
    tags: checkTags(tags ?? {}, place("tags")),
  };
}

/** Halves of surrogate pairs are replaced: PostgreSQL reads no JSON with one. @throws TorusError `invalid` */
export function checkTags(tags: unknown, path: string): ChangeTags {
  const entries = Object.entries(check(ChangeTags, tags, path));
  for (const [tag] of entries) check(TagName, tag, path);
  return Object.fromEntries(entries.map(([tag, value]) => [tag.toWellFormed(), value.toWellFormed()]));
}
