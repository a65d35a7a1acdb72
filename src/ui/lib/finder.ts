// Finder over pages, models and buckets: entries that hold a text, best first; pure.

export interface FinderEntry {
  readonly name: string;
  /** Page, model, bucket: in the words of the language. */
  readonly kind: string;
  readonly path: readonly string[];
}

const MAX_FOUND = 12;

/** Names that begin with the text come first, then words of names, then any other place; the order given otherwise. */
export function findEntries(entries: readonly FinderEntry[], text: string): FinderEntry[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ name }: FinderEntry) => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at <= 0) return at;
    return /[\s._-]/.test(name[at - 1]!) ? 1 : 2;
  };
  return entries
    .filter((entry) => rank(entry) >= 0)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_FOUND);
}
