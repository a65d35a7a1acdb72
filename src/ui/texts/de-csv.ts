// German for the reading of CSV files, loaded with the first file.
import type { CsvWords } from "../../core/formats/csv/words/reading.ts";

const rows = (count: number) => (count === 1 ? "1 Zeile" : `${count} Zeilen`);
const marks: Readonly<Record<string, string>> = {
  ".": "Punkte",
  ",": "Kommas",
  " ": "Leerzeichen",
  "'": "Apostrophe",
};

/** By the parts of the labels of times. */
const times: Readonly<Record<string, string>> = {
  dates: "Datum",
  "the day first": "der Tag zuerst",
  "the month first": "der Monat zuerst",
  "the year first": "das Jahr zuerst",
  "with times of day": "mit Uhrzeit",
  "times of day": "Uhrzeit",
  "dates without separators": "Datum ohne Trennzeichen",
  "parts of times": "Teile der Zeit",
  years: "Jahre",
  "years and months without separator": "Jahr und Monat ohne Trennzeichen",
  "day numbers of a spreadsheet": "Tageszahlen einer Tabellenkalkulation",
  "seconds since the epoch": "Sekunden seit 1970",
  "milliseconds since the epoch": "Millisekunden seit 1970",
  "microseconds since the epoch": "Mikrosekunden seit 1970",
  "nanoseconds since the epoch": "Nanosekunden seit 1970",
};
const reasons: Readonly<Record<string, string>> = {
  text: "Text",
  empty: "leer",
  "a further time": "eine weitere Zeit",
  "numbers of rows": "Zeilennummern",
  "without a name": "ohne Namen",
  "of the export": "vom Export",
  "not chosen": "nicht gewählt",
};

const labelOf = (label: string) =>
  label
    .split(", ")
    .map((part) => times[part] ?? part.replace(/^times of the form /, "Zeiten der Form "))
    .join(", ");
const reasonOf = (why: string) => reasons[why] ?? why;

export const csvWords: CsvWords = {
  encoding: (name) => `Der Text ist ${name}.`,
  titles: (count, text) =>
    `${rows(count)} vor der Kopfzeile ${count === 1 ? "wird" : "werden"} ausgelassen: ${text}`,
  commentNames: () => "Die Namen der Spalten sind die des letzten Kommentars.",
  noNames: (line, names) => `Zeile ${line} enthält keine Namen: Die Spalten sind ${names}.`,
  joinedNames: (names) => `Namen der Spalten sind aus zwei Zeilen zusammengesetzt: ${names}`,
  doubled: (name, own) => `Mehrere Spalten heißen ${name}: Eine davon wird als ${own} gelesen.`,
  moreDoubled: (count) => `${count} weitere Spalten heißen wie eine andere.`,
  units: (line, cells) => `Zeile ${line} wird ausgelassen, sie enthält Einheiten: ${cells}`,
  time: labelOf,
  titleZone: (zone) =>
    `Eine Zeile vor der Kopfzeile nennt ${zone}, aber Zeiten ohne Versatz werden als UTC gelesen.`,
  zone: (time, zone) => `${time}: Die Zeiten sind in ${zone}, wie der Name sagt.`,
  decimalComma: () => "Zahlen haben ein Dezimalkomma.",
  grouped: (name, mark) => `${name}: ${marks[mark] ?? mark} gruppieren die Tausender.`,
  brackets: (name) => `${name}: Zahlen in Klammern sind negativ.`,
  states: (name, one, zero) => `${name}: ${one} wird als 1 gelesen, ${zero} als 0.`,
  sentinel: (name, cell, count) =>
    `${name}: ${cell} wird ${count}-mal als Zahl gelesen. Bedeutet es einen fehlenden Wert, gehört es zu den Wörtern dafür.`,
  rounded: (name) => `${name}: Zahlen mit mehr als 15 Ziffern werden gerundet.`,
  unit: (name, unit) => `${name}: ${unit} wird weggelassen.`,
  quantity: (name, count) => `${name}: ${count} Namen von Feldern`,
  series: (name, count) => `${name}: ${count === 1 ? "1 Wert" : `${count} Werte, je eine Reihe`}`,
  texts: (names) => `Spalten mit Text werden ausgelassen: ${names}`,
  leftOut: (why, names) => `Spalten werden ausgelassen (${reasonOf(why)}): ${names}`,
  emptyRows: (count) => `${rows(count)} ohne Werte ausgelassen`,
  missing: (words) => `Als fehlend gelesen: ${words}`,
  untimed: (count) => `${rows(count)} ausgelassen: Die Zeit ist ein Wort für einen fehlenden Wert.`,
  totals: (count) => `${rows(count)} mit Summen oder Mittelwerten ausgelassen`,
  comments: (count) => `${rows(count)} mit Kommentaren ausgelassen`,
  footnotes: (count) => `${rows(count)} mit Text unter den Punkten ausgelassen`,
  mixedOffsets: () =>
    "Manche Zeiten haben einen Versatz, die anderen werden in der angegebenen Zeitzone gelesen.",
  duplicates: (count, kept) =>
    `${rows(count)} zur Zeit einer anderen der Reihe: Die ${kept === "first" ? "erste" : "letzte"} bleibt.`,
  useTime: (label) => `Zeit: ${label}`,
  useField: (name) => (name === undefined ? "Feld" : `Feld ${name}`),
  useValue: () => "Wert des Feldes",
  useTag: () => "Tag",
  useQuantity: () => "Name des Feldes",
  useNone: (why) => `ausgelassen: ${reasonOf(why)}`,
};
