// Names in paths: one, or a list `a;b;c`.
import { invalid } from "../../core/errors.ts";
import { type IfMatch, parseIfMatch } from "../../core/input/etag.ts";
import { parseListing } from "../../core/input/listing.ts";
import { splitNames } from "../../core/input/name.ts";
import { checkJobName } from "../../core/time/scheduled-job.ts";
import type { Params } from "./params.ts";

/** Names of a path in order, with duplicates. @throws TorusError `invalid` */
export function readNames(list: string): string[] {
  return splitNames(list);
}

/**
 * Names to show: all on the first page, whatever its size. Old clients read named entries page by page until a page is
 * empty, and expect one entry per name on the first.
 * @throws TorusError `invalid`
 */
export function readShownNames(list: string, params: Params): string[] {
  return showOnce(readNames(list), params);
}

/** All names on the first page, none on later ones. @throws TorusError `invalid` */
export function showOnce(names: string[], { page, per_page }: Params): string[] {
  if (page === undefined && per_page === undefined) return names;
  const shown = parseListing({ page, per_page }).page;
  return shown && shown.from > 0 ? [] : names;
}

/**
 * `If-Match` of a request on the resources of a path.
 * @throws TorusError `invalid`, also beside several names, as one tag stands for one resource
 */
export function readIfMatch({ headers }: Request, names: readonly string[]): IfMatch | undefined {
  const condition = parseIfMatch(headers.get("if-match"));
  if (condition && names.length > 1) throw invalid("if-match", "must be left out beside several names");
  return condition;
}

/**
 * Names of scheduled jobs in a segment of a URL, in order, with duplicates; `+` is a space, as old clients encode it.
 * @param place of the segment, from the end: -1 is the last one
 * @throws TorusError `invalid`
 */
export function readJobNames(url: string, place = -1): string[] {
  const { pathname } = new URL(url);
  const segment = pathname.replace(/\/$/, "").split("/").at(place)!;
  const names = decodeURIComponent(segment.replaceAll("+", " ")).split(";");
  for (const name of names) checkJobName(name);
  return names;
}

/** The name of a path that takes one only. @throws TorusError `invalid` */
export function readName(list: string): string {
  const [name, ...more] = splitNames(list);
  if (more.length > 0) throw invalid("name", "must be one name here, not a list");
  return name!;
}
