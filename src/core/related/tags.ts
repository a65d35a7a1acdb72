// Tags that two series share, and how many series of the server have each.

export type Tags = Readonly<Record<string, string>>;

/** How many series there are, in all and by tag. */
export interface Population {
  readonly total: number;
  /** Series that have the tag with this value. */
  readonly countTag: (tag: string, value: string) => number;
  /** Series that have the value in any tag. */
  readonly countValue: (value: string) => number;
}

export interface SharedTags {
  /** Tags with the same value in both. */
  readonly equal: Tags;
  /**
   * Values that both have in different tags, as `client=web` of the one and `service=web` of the other: what two series
   * of a call or of a connection have in common. By the tag of the first.
   */
  readonly adjacent: Tags;
}

export function shareTags(a: Tags, b: Tags): SharedTags {
  const equal: Record<string, string> = {};
  const adjacent: Record<string, string> = {};
  const theirs = Object.entries(b);
  for (const [tag, value] of Object.entries(a)) {
    if (value === "") continue;
    if (b[tag] === value) equal[tag] = value;
    else if (theirs.some(([other, same]) => other !== tag && same === value)) adjacent[tag] = value;
  }
  return { equal, adjacent };
}

/** Counts the tags of all series. */
export class TagCounts implements Population {
  #total = 0;
  readonly #byTag = new Map<string, number>();
  readonly #byValue = new Map<string, number>();

  get total(): number {
    return this.#total;
  }

  add(tags: Tags): void {
    this.#total++;
    const pairs = Object.entries(tags).filter(([, value]) => value !== "");
    for (const [tag, value] of pairs) increase(this.#byTag, keyOf(tag, value));
    for (const value of new Set(pairs.map(([, own]) => own))) increase(this.#byValue, value);
  }

  countTag(tag: string, value: string): number {
    return this.#byTag.get(keyOf(tag, value)) ?? 0;
  }

  countValue(value: string): number {
    return this.#byValue.get(value) ?? 0;
  }
}

/** Neither part of a pair holds the separator where tags are names of a data source. */
function keyOf(tag: string, value: string): string {
  return `${tag}\u0000${value}`;
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
