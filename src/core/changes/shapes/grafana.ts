// Annotations of Grafana as changes (HTTP API, POST /api/annotations): `time` and `timeEnd` in ms, `text`, `tags`.
import { isRecord } from "../../input/json.ts";
import { type Body, type Draft, knownOf, tagsOf, textOf, titleOf } from "./values.ts";

/** Kind of an annotation that has no tag `kind:...`. */
const KIND = "annotation";

/** An annotation without a text has no title. */
export function readAnnotation({ time, timeEnd, text, tags }: Body): readonly Draft[] {
  const { kind = KIND, ...named } = tagsOfList(tags);
  const title = textOf(text);
  return [
    knownOf({
      at: secondsOf(time),
      end: secondsOf(timeEnd),
      kind,
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
function secondsOf(ms: unknown): number | undefined {
  return typeof ms === "number" && ms > 0 ? ms / 1000 : undefined;
}
