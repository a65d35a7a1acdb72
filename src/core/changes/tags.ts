// Tags of a change beside those of an anomaly: whether they agree, and what both have.
import type { ChangeTags } from "./change.ts";

/** Values of each tag. */
export type TagValues = ReadonlyMap<string, ReadonlySet<string>>;

/** The values of each tag in several lists of tags. */
export function valuesByTag(lists: readonly ChangeTags[]): TagValues {
  const values = new Map<string, Set<string>>();
  for (const [tag, value] of lists.flatMap((tags) => Object.entries(tags)))
    values.set(tag, (values.get(tag) ?? new Set()).add(value));
  return values;
}

export interface Match {
  /** 0: a tag is shared; 1: a value is; 2: the change has no tags. */
  readonly rank: number;
  readonly shared: ChangeTags;
}

/** @returns undefined where a tag has another value, or nothing is shared */
export function compareTags(tags: ChangeTags, own: TagValues): Match | undefined {
  const entries = Object.entries(tags);
  if (entries.length === 0) return { rank: 2, shared: {} };
  if (entries.some(([tag, value]) => own.has(tag) && !own.get(tag)!.has(value))) return undefined;
  const same = entries.filter(([tag]) => own.has(tag));
  if (same.length > 0) return { rank: 0, shared: Object.fromEntries(same) };
  const values = new Set([...own.values()].flatMap((set) => [...set]));
  const alike = entries.filter(([, value]) => values.has(value));
  return alike.length > 0 ? { rank: 1, shared: Object.fromEntries(alike) } : undefined;
}
