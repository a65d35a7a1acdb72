// Library linked into a runtime whose npm package carries no notice of it.

export interface Part {
  readonly name: string;
  /** SPDX expression; of licences to choose from, the one chosen. */
  readonly license: string;
  /** Repository of its sources. */
  readonly url: string;
  /** Lines as its sources have them; its author where they have none. */
  readonly copyright: readonly string[];
  /** What its licence asks to be said, or why its text is not all. */
  readonly note?: string;
}

/** Names of the licences in an SPDX expression of `AND` and `WITH`; exceptions have no name of their own. */
export function licensesIn(expression: string): readonly string[] {
  return expression.split(" AND ").map((one) => one.split(" WITH ")[0]!);
}
