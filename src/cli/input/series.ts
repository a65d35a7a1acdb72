// Series of fleets on the command line: `host=a,cpu=0`.
import type { SeriesTags } from "../../core/model/fleet.ts";
import { formatSeries, readTags } from "../../core/model/series-text.ts";

/**
 * Tags and values, also as `printSeries` prints them; a backslash before a comma or a backslash in a value.
 * @throws TorusError `invalid`
 */
export function parseSeriesTags(text: string, path = "--series"): SeriesTags {
  const rule = "must be tags and values, as in host=a,cpu=0, with \\ before a comma in a value";
  return readTags(text, path, /^ *((?:\\.|[^=:\\])+)[=:]((?:\\.|[^\\])*)$/s, rule);
}

/** As `--series` reads it back: `host=a, cpu=0`. */
export function printSeries(tags: SeriesTags): string {
  return Object.entries(tags)
    .map(([tag, value]) => `${tag.replace(/[\\,=:]/g, "\\$&")}=${value.replace(/[\\,]/g, "\\$&")}`)
    .join(", ");
}

/** As the API reads it; undefined where the option is absent. @param option for messages. @throws TorusError `invalid` */
export function readSeries(text: string | undefined, option = "--series"): string | undefined {
  return text === undefined ? undefined : formatSeries(parseSeriesTags(text, option));
}
