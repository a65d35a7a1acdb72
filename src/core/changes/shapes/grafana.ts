// Annotations of Grafana as changes (HTTP API, POST /api/annotations): `time` and `timeEnd` in ms, `text`, `tags`.
import { invalid } from "../../errors.ts";
import { isRecord } from "../../input/json.ts";
import { type Body, type Draft, kindOf, knownOf, tagsOf, textOf, titleOf } from "./values.ts";

/** Kind of an annotation that has no tag `kind:...`. */
const KIND = "annotation";

/** Names of times in other shapes. */
const otherTimes = ["at", "end", "timestamp"];
/** Before it, a number of ms is one of seconds. */
const EARLIEST_MS = Date.UTC(1990, 0, 1);

/**
 * An annotation without a text has no title.
 * @param place of it in a list, for messages
 * @throws TorusError `invalid` for a time that would not be read: it would count as now
 */
export function readAnnotation(body: Body, place = ""): readonly Draft[] {
  const { text, tags } = body;
  const pathOf = (key: string) => (place === "" ? key : `${place}.${key}`);
  const other = otherTimes.find((key) => body[key] !== undefined);
  if (other !== undefined)
    throw invalid(pathOf(other), "is no key of an annotation: time and timeEnd are, in milliseconds");
  const { kind, ...named } = tagsOfList(tags);
  const title = textOf(text);
  const [at, end] = [secondsOf(body.time, pathOf("time")), secondsOf(body.timeEnd, pathOf("timeEnd"))];
  if (at !== undefined && end !== undefined && end < at)
    throw invalid(pathOf("timeEnd"), "must not be before time");
  return [
    knownOf({
      at,
      end,
      kind: kindOf(kind) ?? KIND,
      title: title && titleOf(title),
      tags: named,
    }),
  ];
}

/** `["a", "b:c"]`: a tag without a value is its own. */
function tagsOfList(tags: unknown): Readonly<Record<string, string>> {
  if (isRecord(tags)) return tagsOf(tags);
  if (!Array.isArray(tags)) return {};
  const pairs = tags.flatMap((entry) => {
    const tag = textOf(entry);
    if (tag === undefined) return [];
    const at = tag.indexOf(":");
    return [at > 0 ? [tag.slice(0, at).trim(), tag.slice(at + 1).trim()] : [tag, tag]];
  });
  return tagsOf(Object.fromEntries(pairs));
}

/** Seconds since the epoch; 0 is how some clients leave a time out. */
function secondsOf(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null || value === 0 || value === "") return undefined;
  const ms = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof ms === "number" && ms >= EARLIEST_MS) return ms / 1000;
  throw invalid(path, "must be milliseconds since the epoch, as Grafana has them");
}
