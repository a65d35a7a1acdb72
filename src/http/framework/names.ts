// `a;b;c` in paths.
import { invalid } from "../../core/errors.ts";
import { parseListing } from "../../core/input/listing.ts";
import { splitNames } from "../../core/input/name.ts";
import { checkJobName } from "../../core/time/scheduled-job.ts";
import type { Params } from "./params.ts";

/** Names of a path, in its order, duplicates kept. @throws TorusError `invalid` */
export function readNames(list: string): string[] {
  return splitNames(list);
}

/**
 * Names to show. All of them are the first page, whatever its size: old clients ask for named entries page by page
 * until an empty page comes, and expect one entry per name on the first.
 * @throws TorusError `invalid`
 */
export function readShownNames(list: string, params: Params): string[] {
  return showOnce(readNames(list), params);
}

/** The names on the first page, none on the others. @throws TorusError `invalid` */
export function showOnce(names: string[], { page, per_page }: Params): string[] {
  if (page === undefined && per_page === undefined) return names;
  const asked = parseListing({ page, per_page }).page;
  return asked && asked.from > 0 ? [] : names;
}

/**
 * Names of scheduled jobs in the last segment of an address as it was sent, in its order, duplicates kept; `+` is a
 * space there, as old clients write it.
 * @throws TorusError `invalid`
 */
export function readJobNames(url: string): string[] {
  const { pathname } = new URL(url);
  const segment = pathname.replace(/\/$/, "").split("/").at(-1)!;
  const names = decodeURIComponent(segment.replaceAll("+", " ")).split(";");
  for (const name of names) checkJobName(name);
  return names;
}

/** The one name of a path that takes one only. @throws TorusError `invalid` */
export function readName(list: string): string {
  const [name, ...more] = splitNames(list);
  if (more.length > 0) throw invalid("name", "must be one name here, not a list");
  return name!;
}
