// Lists of the API as they are answered: entries, and what headers say of the whole list.

export interface ListFacts {
  readonly total?: number | undefined;
  readonly states?: ReadonlyMap<string, number>;
  readonly etag?: string | undefined;
}

/** Entries of a list, and what is known of the whole list. */
export class Listed<E = object[]> {
  /** Number of entries on all pages; undefined where there are no pages. */
  readonly total: number | undefined;
  /** Number of entries in each state, whatever the list is filtered by. */
  readonly states: ReadonlyMap<string, number> | undefined;
  /** Entity tag of the only entry. */
  readonly etag: string | undefined;

  constructor(
    readonly entries: E,
    { total, states, etag }: ListFacts = {},
  ) {
    this.total = total;
    this.states = states;
    this.etag = etag;
  }
}
