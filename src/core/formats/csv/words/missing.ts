// Words of exports for a missing value, and errors of spreadsheets.

const words = (
  ",nan,null,na,n/a,none,nil,-,--,—,.,\\n,#n/a,#na,<na>,nat,unavailable,unknown,k.a.,n.a.,n.v.,n.d.,nd,n/d,s/d," +
  "missing,no data,fehlt,:,..,...,#nv,#div/0!,#value!,#wert!,#ref!,#bezug!,#num!,#zahl!," +
  "#name?,#null!"
).split(",");

const MAX_LENGTH = 64;

/**
 * Tells missing values by the usual words, and further ones.
 * @param names of the columns, which tell whose file it is: the German weather service documents -999
 */
export function createMissing(
  further: readonly string[] = [],
  names: readonly string[] = [],
): (cell: string) => boolean {
  const documented = names.includes("MESS_DATUM") ? ["-999", "-999.0"] : [];
  const known = new Set([...words, ...documented, ...further.map((word) => word.trim().toLowerCase())]);
  const hasNumbers = [...known].some((word) => /^\d/.test(word));
  // Most cells are numbers.
  const isNumber = (cell: string) => !hasNumbers && cell[0]! >= "0" && cell[0]! <= "9";
  return (cell) => !isNumber(cell) && cell.length <= MAX_LENGTH && known.has(cell.toLowerCase());
}

/** Whether a report names a missing word: not those that every file may have. */
export function isTold(cell: string): boolean {
  return !/^(|nan|null)$/i.test(cell);
}
