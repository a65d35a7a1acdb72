// Words for two states, as contacts and switches have them: read as 1 and 0.

/** The words of a column, in lower case. */
export interface States {
  readonly one: string;
  readonly zero: string;
}

const pairs: readonly States[] = (
  "on,off true,false yes,no up,down open,closed home,not_home an,aus ein,aus ja,nein wahr,falsch " +
  "offen,geschlossen auf,zu oui,non vrai,faux ouvert,fermé"
)
  .split(" ")
  .map((pair) => pair.split(","))
  .map(([one, zero]) => ({ one: one!, zero: zero! }));

/** Pairs whose words mean a state where the other one never occurs; `up` alone may be the name of a metric. */
const PLAIN = 2;

/** The pair that all cells are of; undefined for other texts. @param cells without missing ones */
export function statesOf(cells: readonly string[]): States | undefined {
  if (cells.length === 0) return undefined;
  const found = pairs.findIndex((pair) => cells.every((cell) => readState(cell, pair) !== undefined));
  const first = cells[0]!.toLowerCase();
  return found < PLAIN || cells.some((cell) => cell.toLowerCase() !== first) ? pairs[found] : undefined;
}

/** @returns undefined for another word */
export function readState(cell: string, { one, zero }: States): number | undefined {
  const word = cell.toLowerCase();
  return word === one ? 1 : word === zero ? 0 : undefined;
}
