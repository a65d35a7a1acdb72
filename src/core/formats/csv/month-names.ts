// Names of months in the languages of common exports, short and long, from the formats of the runtime.

const languages = "en en-GB de de-AT fr es it nl pt sv da nb fi pl ru tr".split(" ");
/** Those of spreadsheets that the runtime does not use. */
const further: readonly [string, number][] = [["mrz", 3]];
let known: ReadonlyMap<string, number> | undefined;

/** The month of a name, from 1; undefined for other text. */
export function monthOf(name: string): number | undefined {
  known ??= new Map([
    ...languages.flatMap((language) =>
      (["short", "long"] as const).flatMap((length) => listMonths(language, length)),
    ),
    ...further,
  ]);
  return known.get(fold(name));
}

function listMonths(language: string, month: "short" | "long"): [string, number][] {
  const format = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
  return Array.from({ length: 12 }, (_, i) => [fold(format.format(Date.UTC(2024, i, 15))), i + 1]);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
