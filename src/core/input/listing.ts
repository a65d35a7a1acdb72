// Lists of the API: sorting, paging and field selection over an array of views (API.md 1).
import { Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { Listed, type ListFacts } from "./listed.ts";
import { parseBySchema } from "./schema-number.ts";
import { parseBoolean } from "./value.ts";

const PAGE_SIZE = 50;
const MAX_FIELDS = 100;

/** Number of a page, from 0. */
export function pageNumber(description: string, maximum = Number.MAX_SAFE_INTEGER) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum, description }));
}

/** Schemas of the parameters of a page. */
export const pageParameters = {
  page: pageNumber("Page, from 0; the header `X-Total-Count` is the number of entries on all pages"),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "Entries per page" })),
};

/** Validated list parameters of a request. */
export interface Listing {
  readonly sort: { readonly path: readonly string[]; readonly descending: boolean } | undefined;
  readonly page: { readonly from: number; readonly to: number } | undefined;
  readonly fields: { readonly names: readonly string[]; readonly keep: boolean } | undefined;
}

interface ListingRules {
  /** Default sort field; absent: the given order. */
  readonly defaultSort?: string;
  /** Actual path of a field, for example `{ name: "settings.name" }`. */
  readonly aliases?: Readonly<Record<string, string>>;
}

type Params = Readonly<Record<string, unknown>>;

/**
 * Parses `page`, `per_page`, `sort`, `fields` and `include_fields`; empty values count as absent.
 * @throws TorusError `invalid`
 */
export function parseListing(params: Params, rules: ListingRules = {}): Listing {
  const given = Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== "" && value != null),
  );
  return { sort: parseSort(given.sort, rules), page: parsePage(given), fields: parseFields(given) };
}

function parseSort(value: unknown, { defaultSort, aliases = {} }: ListingRules): Listing["sort"] {
  if (value === undefined && defaultSort === undefined) return undefined;
  const match = /^([^:\s]{1,256}):(1|-1)$/.exec(String(value ?? `${defaultSort}:1`));
  if (!match) throw invalid("sort", "must be <field>:1 (rising) or <field>:-1 (falling)");
  const field = match[1]!;
  const path = Object.hasOwn(aliases, field) ? aliases[field]! : field;
  return { path: path.split("."), descending: match[2] === "-1" };
}

function parsePage({ page, per_page }: Params): Listing["page"] {
  if (page === undefined && per_page === undefined) return undefined;
  const number = parseBySchema(pageParameters.page, page ?? 0, "page");
  const size = parseBySchema(pageParameters.per_page, per_page ?? PAGE_SIZE, "per_page");
  return { from: number * size, to: (number + 1) * size };
}

function parseFields({ fields, include_fields }: Params): Listing["fields"] {
  const keep = include_fields === undefined ? false : parseBoolean(include_fields, "include_fields");
  if (fields === undefined) return undefined;
  if (typeof fields !== "string") throw invalid("fields", "must be names separated by ;");
  const names = [...new Set(fields.split(";").filter((name) => name !== ""))];
  if (names.length > MAX_FIELDS) throw invalid("fields", `must be at most ${MAX_FIELDS} names`);
  return { names, keep };
}

/** Sorts and pages. Views without the sort field come last in either direction; equal ones keep their order. */
export function arrange<T extends object>(views: readonly T[], { sort, page }: Listing): T[] {
  const sorted = sort ? sortBy(views, sort) : [...views];
  return page ? sorted.slice(page.from, page.to) : sorted;
}

function sortBy<T extends object>(
  views: readonly T[],
  { path, descending }: NonNullable<Listing["sort"]>,
): T[] {
  const keyed = views.map((view) => ({ view, key: valueAt(view, path) }));
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined)
      return Number(a.key === undefined) - Number(b.key === undefined);
    return descending ? compare(b.key, a.key) : compare(a.key, b.key);
  });
  return keyed.map(({ view }) => view);
}

type Key = string | number | boolean;

/** The sortable value at a path, or undefined. */
function valueAt(view: object, path: readonly string[]): Key | undefined {
  let value: unknown = view;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return ["string", "number", "boolean"].includes(typeof value) ? (value as Key) : undefined;
}

function compare(a: Key, b: Key): number {
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Keeps the selected fields (absent ones as null) or drops them. */
export function project(view: object, { fields }: Pick<Listing, "fields">): object {
  if (!fields) return view;
  const { names, keep } = fields;
  const source = view as Record<string, unknown>;
  if (keep)
    return Object.fromEntries(names.map((name) => [name, Object.hasOwn(view, name) ? source[name] : null]));
  return Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)));
}

/** Whether the selection includes a field. */
export function isShown({ fields }: Pick<Listing, "fields">, name: string): boolean {
  return !fields || fields.names.includes(name) === fields.keep;
}

/** Projects views that are sorted and cut already. */
export function showViews(
  views: readonly object[],
  listing: Pick<Listing, "fields">,
  facts: ListFacts,
): Listed {
  return new Listed(
    views.map((view) => project(view, listing)),
    facts,
  );
}

/** Sorts, pages and projects views by the parameters of a request. @throws TorusError `invalid` */
export function listViews(views: readonly object[], params: Params, rules: ListingRules): Listed {
  const listing = parseListing(params, rules);
  return showViews(arrange(views, listing), listing, { total: listing.page && views.length });
}

/** Projects views that were requested by name; their order and number stay. */
export function pickFields(views: object[], params: Params): object[] {
  if (params.fields === undefined && params.include_fields === undefined) return views;
  const listing = parseListing({ fields: params.fields, include_fields: params.include_fields });
  return views.map((view) => project(view, listing));
}
