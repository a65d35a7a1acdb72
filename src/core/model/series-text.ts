// Tags of series as texts: `host:a,cpu:0` in requests, `host=a, cpu=0` for people.
import { invalid } from "../errors.ts";

type Tags = Readonly<Record<string, string>>;

/** One line such as `host=a, cpu=0`. */
export function describeSeries(tags: Tags): string {
  return Object.entries(tags)
    .map(([tag, value]) => `${tag}=${value}`)
    .join(", ");
}

/** Parts of a text between its commas: escaped characters and others; a backslash at the end, or nothing, is one, too. */
export function splitParts(text: string): string[] {
  return text.match(/(?:\\.|[^,\\])+|\\$/gs) ?? [""];
}

/** @throws TorusError `invalid` where a tag has two values, of which one would be lost */
export function tagsOfPairs(pairs: readonly (readonly [tag: string, value: string])[], path: string): Tags {
  const tags = Object.fromEntries(pairs);
  const lost = pairs.find(([tag, value]) => tags[tag] !== value);
  if (lost) throw invalid(path, `has two values of ${lost[0]}`);
  return tags;
}

/** Some tags of series, as `parseSeries` reads them; not all have to be there. @throws TorusError `invalid` */
export function parseTags(text: string, path = "series"): Tags {
  const pairs = splitParts(text).map((part) => {
    const [, tag, value] = /^((?:\\.|[^:\\])+):((?:\\.|[^\\])*)$/s.exec(part) ?? [];
    if (tag === undefined)
      throw invalid(path, "must be tags and values, as in host:a,cpu:0, with \\ before a comma");
    return [unescaped(tag), unescaped(value!)] as const;
  });
  return tagsOfPairs(pairs, path);
}

/** The text that `parseSeries` reads. */
export function formatSeries(tags: Tags): string {
  const escaped = (text: string) => text.replace(/[\\:,]/g, "\\$&");
  return Object.entries(tags)
    .map(([tag, value]) => `${escaped(tag)}:${escaped(value)}`)
    .join(",");
}

/** The characters without the backslashes that escape them. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}
