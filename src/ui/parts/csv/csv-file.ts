// Reader, form and preview of a chosen CSV file: one file of the bundle, loaded when a file is chosen.

import type { CsvWords } from "../../../core/formats/csv/words.ts";
import { language } from "../../state/preferences.ts";

export { planFile } from "./csv-plan.ts";
export { Preview, Reading } from "./csv-preview.tsx";

/** Sentences on the reading in the language of the page; undefined: English. */
export async function loadWords(): Promise<CsvWords | undefined> {
  return language.value === "de" ? (await import("../../texts/de-csv.ts")).csvWords : undefined;
}
