// Exploration of stores without measurements: columns with numbers are fields, those with texts are tags.
import type { NamePattern } from "../../core/input/name-pattern.ts";
import type { Exploration, ExploredMeasurement, ExploreLimits, ExploreOptions } from "../kind.ts";
import { type Choice, chooseFields, cut, toTagExploration, withoutMeasurement } from "./choose.ts";

/** A page of the values of one tag. */
export interface ValuePage {
  readonly limit: number;
  readonly skip?: number;
  readonly search?: NamePattern | undefined;
  /** Whether every row counts, where others search a sample. */
  readonly isWhole?: boolean;
}

type ListValues = (name: string, page: ValuePage) => Promise<readonly string[]>;

interface Table {
  /** Of fields, and names of tags. */
  readonly readColumns: () => Promise<{
    readonly fields: readonly { readonly name: string; readonly type: string }[];
    readonly texts: readonly string[];
  }>;
  readonly listValues: ListValues;
  readonly readEnds: () => Promise<Pick<ExploredMeasurement, "firstAt" | "lastAt">>;
}

/** Tags with their values, both up to the limits. */
export async function exploreTags(
  names: readonly string[],
  { names: most, values }: ExploreLimits,
  listValues: ListValues,
): Promise<Choice<ExploredMeasurement["tags"][number]>> {
  const { chosen, truncated } = cut(names, most);
  const tags = [];
  for (const name of chosen)
    tags.push({ name, ...cut(await listValues(name, { limit: values + 1 }), values) });
  return {
    chosen: tags.map((tag) => ({ name: tag.name, values: tag.chosen })),
    truncated: truncated || tags.some((tag) => tag.truncated),
  };
}

/** Fields, tags and ends of a table, or the values of one tag. */
export async function exploreTable(
  { readColumns, listValues, readEnds }: Table,
  options: ExploreOptions,
): Promise<Exploration> {
  const { limits, tag, search, skip = 0 } = options;
  if (tag !== undefined) {
    const found = await listValues(tag, { limit: limits.values + 1, skip, search, isWhole: true });
    return toTagExploration({ tag }, cut(found, limits.values));
  }
  const columns = await readColumns();
  const named = columns.fields.map((field) => ({ measurement: null, ...field }));
  const { chosen, truncated } = chooseFields(named, withoutMeasurement(options));
  const fields = chosen.map(({ name, type }) => ({ name, type }));
  const tags = await exploreTags(columns.texts, limits, listValues);
  return {
    measurements: [{ name: null, fields, tags: tags.chosen, ...(await readEnds()) }],
    truncated: truncated || tags.truncated,
  };
}
