// `a;b;c` in paths.
import { invalid } from "../core/errors.ts";
import { parseListing } from "../core/listing.ts";
import { splitNames } from "../core/name.ts";
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
export function readShownNames(list: string, { page, per_page }: Params): string[] {
  const names = readNames(list);
  const asked = parseListing({ page, per_page }).page;
  return asked && asked.from > 0 ? [] : names;
}

/** The one name of a path that takes one only. @throws TorusError `invalid` */
export function readName(list: string): string {
  const [name, ...more] = splitNames(list);
  if (more.length > 0) throw invalid("name", "must be one name here, not a list");
  return name!;
}
