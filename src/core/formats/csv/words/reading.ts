// Sentences on the reading of a CSV file, in English; the dashboard has them in its languages.

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const marks: Readonly<Record<string, string>> = {
  ".": "points",
  ",": "commas",
  " ": "blanks",
  "'": "apostrophes",
};

/** Names are those of columns, labels and reasons English keys. */
export const csvWords = {
  encoding: (name: string) => `the text is ${name}`,
  titles: (lines: number, text: string) =>
    `${count(lines, "line")} before the header ${lines === 1 ? "is" : "are"} left out: ${text}`,
  commentNames: () => "names of columns are those of the last comment",
  noNames: (line: number, names: string, flag: string) =>
    `line ${line} holds no names: the columns are ${names}; ${flag} names them`,
  joinedNames: (names: string) => `names of columns are joined from two lines: ${names}`,
  doubled: (name: string, own: string) => `several columns are named ${name}: one of them is read as ${own}`,
  moreDoubled: (columns: number) => `${columns} more columns share a name with another`,
  units: (line: number, cells: string) => `line ${line} is left out, it holds units: ${cells}`,
  /** @param label of a kind of times, as in `dates, the day first` */
  time: (label: string): string => label,
  titleZone: (zone: string) =>
    `a line before the header names ${zone}, but times without an offset are read as UTC`,
  zone: (time: string, zone: string) => `${time}: times are in ${zone}, as the name says`,
  decimalComma: () => "numbers have a decimal comma",
  grouped: (name: string, mark: string) => `${name}: ${marks[mark] ?? mark} group the thousands`,
  brackets: (name: string) => `${name}: numbers in brackets are negative`,
  states: (name: string, one: string, zero: string) => `${name}: ${one} is read as 1, ${zero} as 0`,
  sentinel: (name: string, cell: string, times: number) =>
    `${name}: ${cell} is read as a number, ${count(times, "time")}: if it means missing, name it as a word for that`,
  rounded: (name: string) => `${name}: numbers of more than 15 digits are rounded`,
  unit: (name: string, unit: string) => `${name}: ${unit} is left out`,
  quantity: (name: string, values: number) => `${name}: ${values} names of fields`,
  series: (name: string, values: number) => `${name}: ${count(values, "value")}, a series each`,
  texts: (names: string) => `skipped columns of text: ${names}`,
  /** @param why as in `a further time` */
  leftOut: (why: string, names: string) => `skipped columns, ${why}: ${names}`,
  emptyRows: (rows: number) => `${count(rows, "row")} without values skipped`,
  missing: (words: string) => `cells read as missing: ${words}`,
  untimed: (rows: number) => `${count(rows, "row")} skipped, without a time`,
  totals: (rows: number) => `${count(rows, "row")} of totals or averages skipped`,
  comments: (lines: number) => `${count(lines, "line")} of comment skipped`,
  footnotes: (rows: number) => `${count(rows, "row")} of text below the points skipped`,
  mixedOffsets: () => "times without an offset are read in the given time zone",
  duplicates: (rows: number, kept: string) =>
    `${count(rows, "row")} at the time of another one of the series: the ${kept} is kept`,
  useTime: (label: string) => `time: ${label}`,
  useField: (name?: string) => (name === undefined ? "field" : `field ${name}`),
  useValue: () => "value of the field",
  useTag: () => "tag",
  useQuantity: () => "name of the field",
  useNone: (why: string) => `left out: ${why}`,
};
export type CsvWords = typeof csvWords;
