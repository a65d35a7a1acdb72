// CSV rules: the English sentence of each refusal.

type Pair = readonly [string, string];
type Years = readonly (readonly [unit: string, year: number])[];

/** Options that tell rows of one time apart, with what they are to name. */
interface WaysToTell {
  readonly parts: Pair | undefined;
  readonly tags: Pair | undefined;
  readonly timezone: string | undefined;
  readonly duplicate: string;
}

/** What may have made a row too wide. */
interface Causes {
  /** One that the separator may have split. */
  readonly number: string | undefined;
  readonly hasText: boolean;
  readonly delimiter: string;
}

/** Names of options are given as the page, or the command line, has them; cells are quoted. */
export const csvRules = {
  // The file.
  empty: () => "is missing: the file is empty",
  foreign: (is: string, way: string) => `is ${is}, no CSV: ${way}`,
  mixedBytes: () => "mixes UTF-8 with other bytes: save it as UTF-8",
  longLine: () => "is longer than a million characters: is a quote never closed?",
  openQuote: () => "has a quote that is never closed",
  afterQuote: () => "has text after a closing quote",
  noHeader: (skip: string) => `holds no columns: check ${skip}`,
  noRows: (skip: string) => `holds no points below its header: check ${skip}`,
  oneColumn: (delimiter: string) => `has no column besides the time: check ${delimiter}`,
  manyColumns: (columns: number, most: number, delimiter: string) =>
    `has ${columns} columns, at most ${most} are possible: check ${delimiter}`,
  newColumn: (name: string) =>
    `has a column ${name} that no table of the first million characters has: put it first`,
  wideTimes: (shown: string, columns: string) =>
    `names columns by times, as ${shown}: give each time a row, or name the columns to read in ${columns}`,
  // Options.
  unknownColumn: (name: string, names: string) => `the file has no column ${name}; it has ${names}`,
  timezone: () => "must be an IANA time zone, as in Europe/Paris",
  decimalMark: () => "must be . or ,",
  thousandsMark: () => "must be . or , or ' or a blank, or empty for none",
  sameMark: (decimal: string) => `must differ from ${decimal}`,
  lines: () => "must be a whole number, at least 0",
  timeFormat: (formats: string) => `must be ${formats}`,
  unknownLetter: (letter: string, known: string) => `%${letter} is unknown; known: ${known}`,
  letterTwice: () => "must not hold the same letter twice",
  // The column of the time.
  noForm: (name: string, cell: string, form: string, ways: readonly string[]) =>
    `column ${name} holds ${cell}, which is not of the form ${form}: check ${listed(ways)}`,
  dayOrMonth: (name: string, cell: string, format: string, forms: readonly string[]) =>
    `column ${name} holds ${cell}, whose day and month cannot be told apart: ${format} ${forms.join(" or ")}`,
  severalTimes: (names: string) =>
    `is needed: no column has the name of a time, and times could be in ${names}`,
  severalClocks: (clock: string, other: string, joined: string) =>
    `is needed: ${clock} and ${other} both hold times of day, as in ${joined}`,
  clockAlone: (name: string, cell: string, time: string) =>
    `column ${name} holds ${cell}, a time of day without a date: ${time} DATE+${name}`,
  /** @param years by unit */
  numberNoTime: (name: string, cell: string, years: Years, time: string, format: string) =>
    `column ${name} holds ${cell}, no usual time${years[0] ? ` (${years.map(inYear).join(", ")})` : ""}: name the time with ${time}, or its unit with ${format} s, ms, us, ns or excel`,
  /** @param zone at the end of the cell, as in `EST`, and the option for it */
  noTime: (name: string, cell: string, time: string, format: string, formats: string, zone?: Pair) =>
    `column ${name} holds ${cell}, no time: set ${time}, or ${format} to ${formats}${zone ? `; ${zone[0]} can stand in the pattern as text, with the ${zone[1]} it means` : ""}`,
  // Columns of numbers.
  noNumbers: (name: string, cell: string, ways: readonly string[]) =>
    `holds no number beside the time: column ${name} holds ${cell}; check ${listed(ways)}`,
  noNumberColumn: (name: string, cell: string, columns: string) =>
    `column ${name} holds ${cell}, no number: set ${columns}`,
  twoReadings: (name: string, cell: string, ways: readonly string[]) =>
    `is needed: column ${name} holds ${cell}, which can be read in two ways: ${ways.join(", or ")}`,
  otherWay: (name: string, cell: string, thousands: string, columns: string) =>
    `is needed, or ${thousands}: column ${name} holds ${cell}, and other numbers are written in another way; ${columns} names those of one form`,
  // Rows.
  /** @param word at its beginning, after the option that leaves its line out */
  fewCells: (cells: number, columns: number, word?: Pair) =>
    `has ${cells} cells, the header has ${columns}: remove it if it is cut off, or add its empty cells${word ? `; ${word.join(" ")} leaves it out` : ""}`,
  manyCells: (cells: number, columns: number, { number, hasText, delimiter }: Causes) => {
    const causes = [
      hasText && "a text that holds the separator needs quotes",
      number
        ? `a number with a comma, as ${number}, needs quotes, or another separator between the columns`
        : `check ${delimiter}`,
    ];
    return `has ${cells} cells, the header has ${columns}: ${causes.filter(Boolean).join("; ")}`;
  },
  noTimeCell: (name: string) =>
    `has values, but column ${name} is empty: remove the line, or fill in its time`,
  noSuchTime: (name: string, cell: string) =>
    `column ${name} holds ${cell}, a day or time of day that there is not: correct it, or remove the line`,
  otherYear: (name: string, cell: string) => `column ${name} holds ${cell}, outside 1900 to 2199`,
  /** @param missing of a cell that is a word */
  otherTime: (name: string, cell: string, label: string, ways: readonly string[], missing?: string) =>
    `column ${name} holds ${cell}, no time as the others are (${label}): set ${ways.join(" or ")}${missing ? `; ${missing} ${cell} leaves the line out` : ""}`,
  offset: (name: string, cell: string, hasOffset: boolean, timezone: string) =>
    `column ${name} holds ${cell}, ${hasOffset ? "with an offset where others have none" : "without the offset that others have"}: set the ${timezone} of times without one`,
  noFieldName: (name: string, cell: string) =>
    `column ${name} holds ${cell}, which cannot be the name of a field`,
  tooGreat: (name: string, cell: string) => `column ${name} holds ${cell}, beyond the range of numbers`,
  otherUnit: (name: string, cell: string, own: string, others: string) =>
    `column ${name} holds ${cell}, ${inUnit(own)} where others are ${inUnit(others)}: write all in one unit`,
  otherForm: (name: string, cell: string, ways: readonly string[]) =>
    `column ${name} holds ${cell}, not written as the others: set ${listed(ways)}`,
  noNumber: (name: string, cell: string, missing: string, columns: string) =>
    `column ${name} holds ${cell}, no number: ${missing} ${cell} reads it as missing, ${columns} names the columns to read`,
  otherState: (name: string, cell: string, one: string, zero: string, missing: string) =>
    `column ${name} holds ${cell}, neither ${one} nor ${zero} as the others: ${missing} ${cell} reads it as missing`,
  skippedHour: (name: string, cell: string, zone: string, timezone: string) =>
    `column ${name} holds ${cell}, which the clocks of ${zone} skip: set the ${timezone} of the times, as in UTC or +01:00`,
  second: (field: string, cell: string, at: string, { parts, tags, timezone, duplicate }: WaysToTell) => {
    const ways = [
      parts && `${parts.join(" ")} joins the parts of the time`,
      tags && `${tags.join(" ")} makes a series of each`,
      timezone && `${timezone} ZONE where the clock was put back then`,
      `${duplicate} last or first keeps one`,
    ];
    return `a second value of ${field} at ${cell}, ${at}: ${ways.filter(Boolean).join("; ")}`;
  },
};
export type CsvRules = typeof csvRules;

function listed(ways: readonly string[]): string {
  return ways.join(", ").replace(/, ([^,]*)$/, " and $1");
}

function inYear([unit, year]: Years[number]): string {
  return `in ${unit} ${year ? `the year ${year}` : "no time"}`;
}

function inUnit(unit: string): string {
  return unit ? `in ${unit}` : "without a unit";
}
