// Words of exports for a missing value, and errors of spreadsheets.

const words = [
  "", "nan", "null", "na", "n/a", "none", "nil", "-", "--", "—", "\\n", "#n/a", "#na", "<na>", "nat", "unavailable", "unknown",
  "k.a.", "n.a.", "n.v.", "#nv", "#div/0!", "#value!", "#wert!", "#ref!", "#bezug!", "#num!", "#zahl!", "#name?", "#null!",
]; // biome-ignore format: a list

const MAX_LENGTH = 64;

/** Words that every file may have, so that reports do not count them. */
const silent = new Set(["", "nan", "null"]);

/** Tells missing values by the usual words and further ones. */
export function createMissing(further: readonly string[] = []): (cell: string) => boolean {
  const known = new Set([...words, ...further.map((word) => word.trim().toLowerCase())]);
  const hasNumbers = [...known].some((word) => /^\d/.test(word));
  // Most cells are numbers.
  const isNumber = (cell: string) => !hasNumbers && cell.charCodeAt(0) >= 0x30 && cell.charCodeAt(0) <= 0x39;
  return (cell) => !isNumber(cell) && cell.length <= MAX_LENGTH && known.has(cell.toLowerCase());
}

/** Numbers that stand for a missing value by the documentation of an agency, told by the names of its columns. */
export function documentedMissing(names: readonly string[]): readonly string[] {
  return names.includes("MESS_DATUM") ? ["-999", "-999.0", "-999.00"] : [];
}

/** Whether a report names a missing word. */
export function isTold(cell: string): boolean {
  return !silent.has(cell.toLowerCase());
}
