// CSV rules in German, loaded with the first file.
import type { CsvRules } from "../../core/formats/csv/words/rules.ts";
import { csvWords } from "./de-csv.ts";

export { csvWords };

/** Formats taken for CSV by mistake, and ways out. */
const forms: Readonly<Record<string, string>> = {
  "a workbook": "eine Arbeitsmappe",
  "compressed, or an archive": "komprimiert oder ein Archiv",
  binary: "keine Textdatei",
  "HTML or XML": "HTML oder XML",
  JSON: "JSON",
  "an exposition of Prometheus": "eine Ausgabe von Metriken für Prometheus",
  "a report of iostat or vmstat": "ein Bericht von iostat oder vmstat",
  "a report of sar": "ein Bericht von sar",
  "a system log": "ein Systemprotokoll",
  "an access log": "ein Zugriffsprotokoll",
  "line protocol": "Line Protocol",
  "save its sheet as CSV": "das Blatt als CSV speichern",
  "unpack it": "auspacken",
  "export it as CSV": "als CSV exportieren",
  "save it as CSV": "als CSV speichern",
  "torus write-bucket takes a list of points": "torus write-bucket nimmt eine Liste von Punkten",
  "it has no times, let Prometheus read it": "sie hat keine Zeiten, Prometheus kann sie abfragen",
  "export it with sadf -d": "mit sadf -d exportieren",
  "let Telegraf send its figures to /write?db=BUCKET":
    "Telegraf kann solche Werte an /write?db=BUCKET senden",
  "post it to /write?db=BUCKET": "an /write?db=BUCKET senden",
};
const unitNames: Readonly<Record<string, string>> = {
  seconds: "Sekunden",
  milliseconds: "Millisekunden",
  microseconds: "Mikrosekunden",
  nanoseconds: "Nanosekunden",
};

const listed = (ways: readonly string[]) => ways.join(", ").replace(/, ([^,]*)$/, " und $1");
const inYear = (unit: string, year: number) =>
  `in ${unitNames[unit] ?? unit} ${Number.isNaN(year) ? "keine Zeit" : `das Jahr ${year}`}`;
const inUnit = (unit: string) => (unit === "" ? "ohne Einheit" : `in ${unit}`);

export const csvRules: CsvRules = {
  empty: () => "Die Datei ist leer.",
  foreign: (is, way) => `Sie ist ${forms[is] ?? is}, kein CSV: ${forms[way] ?? way}`,
  mixedBytes: () => "Sie mischt UTF-8 mit anderen Bytes: als UTF-8 speichern",
  longLine: () => "länger als eine Million Zeichen: Fehlt ein schließendes Anführungszeichen?",
  openQuote: () => "Ein Anführungszeichen wird nicht geschlossen.",
  afterQuote: () => "Text folgt auf ein schließendes Anführungszeichen.",
  noHeader: (skip) => `ohne Spalten: ${skip} prüfen`,
  noRows: (skip) => `Unter der Kopfzeile stehen keine Punkte: ${skip} prüfen`,
  oneColumn: (delimiter) => `Neben der Zeit gibt es keine Spalte: ${delimiter} prüfen`,
  manyColumns: (columns, most, delimiter) =>
    `Die Kopfzeile hat ${columns} Spalten, möglich sind ${most}: ${delimiter} prüfen`,
  newColumn: (name) =>
    `hat eine Spalte ${name}, die keine Tabelle der ersten Million Zeichen hat: diese Tabelle voranstellen`,
  wideTimes: (shown, columns) =>
    `Spalten heißen nach Zeiten, etwa ${shown}: Jede Zeit braucht eine Zeile; oder ${columns} angeben`,
  unknownColumn: (name, names) => `Die Datei hat keine Spalte ${name}; sie hat ${names}`,
  timezone: () => "muss eine IANA-Zeitzone sein, etwa Europe/Berlin",
  decimalMark: () => "muss . oder , sein",
  thousandsMark: () => "muss . oder , oder ' oder ein Leerzeichen sein, oder leer",
  sameMark: (decimal) => `muss ein anderes Zeichen sein als ${decimal}`,
  lines: () => "muss eine ganze Zahl ab 0 sein",
  timeFormat: (formats) => `muss eines davon sein: ${formats}`,
  unknownLetter: (letter, known) => `%${letter} ist unbekannt; bekannt: ${known}`,
  letterTwice: () => "darf keinen Buchstaben zweimal enthalten",
  noForm: (name, cell, form, ways) =>
    `Spalte ${name} enthält ${cell}, was nicht die Form ${form} hat: ${listed(ways)} prüfen`,
  dayOrMonth: (name, cell, format, patterns) =>
    `Spalte ${name} enthält ${cell}, worin Tag und Monat nicht zu unterscheiden sind: ${format} ${patterns.join(" oder ")}`,
  severalTimes: (names) =>
    `muss angegeben werden: Keine Spalte heißt wie eine Zeit, und Zeiten könnten in ${names} stehen`,
  severalClocks: (clock, other, joined) =>
    `muss angegeben werden: ${clock} und ${other} enthalten Uhrzeiten, etwa ${joined}`,
  clockAlone: (name, cell, time) =>
    `Spalte ${name} enthält ${cell}, eine Uhrzeit ohne Datum: ${time} DATUM+${name}`,
  numberNoTime: (name, cell, years, time, format) =>
    `Spalte ${name} enthält ${cell}, keine brauchbare Zeit${years.length === 0 ? "" : ` (${years.map(([unit, year]) => inYear(unit, year)).join(", ")})`}: ${time} angeben, oder als ${format} die Einheit s, ms, us, ns oder excel`,
  noTime: (name, cell, time, format, formats, zone) =>
    `Spalte ${name} enthält ${cell}, keine Zeit: ${time} angeben, oder ${format}: ${formats}${zone ? `; ${zone[0]} kann als Text im Muster stehen, mit ${zone[1]}` : ""}`,
  noNumbers: (name, cell, ways) =>
    `Neben der Zeit steht keine Zahl: Spalte ${name} enthält ${cell}; ${listed(ways)} prüfen`,
  noNumberColumn: (name, cell, columns) => `Spalte ${name} enthält ${cell}, keine Zahl: ${columns} angeben`,
  twoReadings: (name, cell, ways) =>
    `muss angegeben werden: Spalte ${name} enthält ${cell}, was zweierlei sein kann: ${ways.join(", oder ")}`,
  otherWay: (name, cell, thousands, columns) =>
    `muss angegeben werden, oder ${thousands}: Spalte ${name} enthält ${cell}, und andere Zahlen sind anders geschrieben; ${columns} nennt solche einer Form`,
  fewCells: (cells, columns, word) =>
    `Sie hat ${cells} Zellen, die Kopfzeile ${columns}: löschen, wenn sie abgeschnitten ist, oder ihre leeren Zellen ergänzen${word ? `; ${word.join(" ")} lässt sie aus` : ""}`,
  manyCells: (cells, columns, { number, hasText, delimiter }) => {
    const causes = [
      hasText && "Text mit dem Trennzeichen darin braucht Anführungszeichen",
      number !== undefined &&
        `Zahlen mit Komma wie ${number} brauchen Anführungszeichen, oder die Spalten ein anderes Trennzeichen`,
      number === undefined && `${delimiter} prüfen`,
    ];
    return `Sie hat ${cells} Zellen, die Kopfzeile ${columns}: ${causes.filter(Boolean).join("; ")}`;
  },
  noTimeCell: (name) =>
    `Sie hat Werte, aber Spalte ${name} ist leer: die Zeile löschen oder die Zeit ergänzen`,
  noSuchTime: (name, cell) =>
    `Spalte ${name} enthält ${cell}, einen Tag oder eine Uhrzeit, die es nicht gibt: berichtigen oder die Zeile löschen`,
  otherYear: (name, cell) => `Spalte ${name} enthält ${cell}, außerhalb der Jahre 1900 bis 2199`,
  otherTime: (name, cell, label, ways, missing) =>
    `Spalte ${name} enthält ${cell}, keine Zeit wie die anderen (${csvWords.time(label)}): ${ways.join(" oder ")} angeben${missing === undefined ? "" : `; ${missing} ${cell} lässt die Zeile aus`}`,
  offset: (name, cell, hasOffset, timezone) =>
    `Spalte ${name} enthält ${cell}, ${hasOffset ? "mit einem Versatz, den andere nicht haben" : "ohne den Versatz, den andere haben"}: ${timezone} angeben`,
  noFieldName: (name, cell) => `Spalte ${name} enthält ${cell}, was kein Name eines Feldes sein kann`,
  tooGreat: (name, cell) => `Spalte ${name} enthält ${cell}, eine zu große Zahl`,
  otherUnit: (name, cell, own, others) =>
    `Spalte ${name} enthält ${cell}, ${inUnit(own)}, andere ${inUnit(others)}: alle in einer Einheit schreiben`,
  otherForm: (name, cell, ways) =>
    `Spalte ${name} enthält ${cell}, anders geschrieben als die anderen: ${listed(ways)} angeben`,
  noNumber: (name, cell, missing, columns) =>
    `Spalte ${name} enthält ${cell}, keine Zahl: ${missing} ${cell} liest sie als fehlend, ${columns} nennt die Spalten`,
  otherState: (name, cell, one, zero, missing) =>
    `Spalte ${name} enthält ${cell}, weder ${one} noch ${zero} wie die anderen: ${missing} ${cell} liest es als fehlend`,
  skippedHour: (name, cell, zone, timezone) =>
    `Spalte ${name} enthält ${cell}, was die Uhren von ${zone} überspringen: ${timezone} angeben, etwa UTC oder +01:00`,
  second: (field, cell, at, { parts, tags, timezone, duplicate }) => {
    const ways = [
      parts && `${parts.join(" ")} fügt die Teile der Zeit zusammen`,
      tags && `${tags.join(" ")} macht daraus je eine Reihe`,
      timezone && `${timezone}, wo die Uhr da zurückgestellt wurde`,
      `${duplicate} wählt die letzte oder die erste`,
    ];
    return `ein zweiter Wert von ${field} um ${cell}, ${at}: ${ways.filter(Boolean).join("; ")}`;
  },
};
