// Tags of series as texts: `host:a,cpu:0` in requests, `host=a, cpu=0` for people.
import { invalid } from "../errors.ts";

type Tags = Readonly<Record<string, string>>;

/** One line such as `host=a, cpu=0`. */
export function describeSeries(tags: Tags): string {
  return Object.entries(tags)
    .map(([tag, value]) => `${tag}=${value}`)
    .join(", ");
}

/**
 * Tags and values between commas.
 * @param pair a tag and its value, each of characters that a backslash escapes, and others
 * @throws TorusError `invalid` with the rule, or where a tag has two values, of which one would be lost
 */
export function readTags(text: string, path: string, pair: RegExp, rule: string): Tags {
  // A backslash at the end, or nothing, is a part, too: it is no pair.
  const parts = text.match(/(?:\\.|[^,\\])+|\\$/gs) ?? [""];
  const pairs = parts.map((part) => {
    const [, tag, value] = pair.exec(part) ?? [];
    if (tag === undefined) throw invalid(path, rule);
    return [unescaped(tag), unescaped(value!)] as const;
  });
  const tags = Object.fromEntries(pairs);
  const lost = pairs.find(([tag, value]) => tags[tag] !== value);
  if (lost) throw invalid(path, `has two values of ${lost[0]}`);
  return tags;
}

/** Some tags of series, as `parseSeries` reads them; not all have to be there. @throws TorusError `invalid` */
export function parseTags(text: string, path = "series"): Tags {
  const rule = "must be tags and values, as in host:a,cpu:0, with \\ before a comma";
  return readTags(text, path, /^((?:\\.|[^:\\])+):((?:\\.|[^\\])*)$/s, rule);
}

/** The text that `parseSeries` reads. */
export function formatSeries(tags: Tags): string {
  const escaped = (text: string) => text.replace(/[\\:,]/g, "\\$&");
  return Object.entries(tags)
    .map(([tag, value]) => `${escaped(tag)}:${escaped(value)}`)
    .join(",");
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}
