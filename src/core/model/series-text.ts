// Tags of series as texts: `host:a,cpu:0` in requests, `host=a, cpu=0` for people.
import { invalid } from "../errors.ts";

type Tags = Readonly<Record<string, string>>;

/** One line such as `host=a, cpu=0`. */
export function describeSeries(tags: Tags): string {
  return Object.entries(tags)
    .map(([tag, value]) => `${tag}=${value}`)
    .join(", ");
}

/** Some tags of series, as `parseSeries` reads them; not all have to be there. @throws TorusError `invalid` */
export function parseTags(text: string, path = "series"): Tags {
  // A part is a run of escaped characters and others.
  const parts = text.match(/(?:\\.|[^,\\])+/gs) ?? [];
  if (parts.length === 0) throw invalid(path, "must be tags and values, as in host:a,cpu:0");
  return Object.fromEntries(
    parts.map((part) => {
      const [, tag, value] = /^((?:\\.|[^:\\])+):((?:\\.|[^\\])*)$/s.exec(part) ?? [];
      if (tag === undefined) throw invalid(path, "must be tags and values, as in host:a,cpu:0");
      return [unescaped(tag), unescaped(value!)];
    }),
  );
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
