// Reader, form and preview of a chosen CSV file: one file of the bundle, loaded when a file is chosen.
import { TorusError } from "../../../core/errors.ts";
import type { CsvWords } from "../../../core/formats/csv/words.ts";
import { language, texts } from "../../state/preferences.ts";
import { type CsvPlan, planFile, type ReadingDraft } from "./csv-plan.ts";

export { Preview, Reading } from "./csv-preview.tsx";

interface ReadFile {
  readonly plan: CsvPlan | undefined;
  /** Empty: none. */
  readonly error: string;
}

/** Reads a file, with sentences in the language of the page. */
export async function readFile(
  content: { readonly name: string; readonly bytes: Uint8Array },
  draft: ReadingDraft,
): Promise<ReadFile> {
  const { flags: labels, none, quoted, problem } = texts.value.csv;
  const flags = Object.fromEntries(Object.entries(labels).map(([key, label]) => [key, quoted(label)]));
  const words = await loadWords();
  try {
    const plan = planFile({ ...content, nowAt: Date.now(), flags, words }, draft);
    return { plan, error: plan ? "" : none };
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    const [found = "", line] = /^line (\d+): /.exec(error.message) ?? [];
    return { plan: undefined, error: problem(line, error.message.slice(found.length)) };
  }
}

/** Undefined: English. */
async function loadWords(): Promise<CsvWords | undefined> {
  return language.value === "de" ? (await import("../../texts/de-csv.ts")).csvWords : undefined;
}
