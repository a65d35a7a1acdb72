// Series of fleets on the command line: `host=a,cpu=0`.
import { invalid } from "../../core/errors.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { formatSeries } from "../../core/model/series-text.ts";

/** Tags and values; a backslash before a comma in a value. @throws TorusError `invalid` */
export function parseSeriesTags(text: string, path = "--series"): SeriesTags {
  const parts = text.match(/(?:\\.|[^,\\])+/gs) ?? [];
  const tags = parts.map((part) => {
    const [, tag, value] = /^([^=:]+)[=:](.*)$/s.exec(part.replace(/\\(.)/gs, "$1")) ?? [];
    if (tag === undefined) throw invalid(path, "must be tags and values, as in host=a,cpu=0");
    return [tag, value!] as const;
  });
  if (tags.length === 0) throw invalid(path, "must be tags and values, as in host=a,cpu=0");
  return Object.fromEntries(tags);
}

/** As the API reads it; undefined where the option is absent. @param option for messages. @throws TorusError `invalid` */
export function readSeries(text: string | undefined, option = "--series"): string | undefined {
  return text === undefined ? undefined : formatSeries(parseSeriesTags(text, option));
}
