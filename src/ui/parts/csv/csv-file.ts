// Reader, form and preview of a chosen CSV file: one file of the bundle, loaded when a file is chosen.
import type { FlagNames } from "../../../core/formats/csv/options.ts";
import { type CsvWords, csvWords } from "../../../core/formats/csv/words/reading.ts";
import { CsvRefusal } from "../../../core/formats/csv/words/refusal.ts";
import { type CsvRules, csvRules } from "../../../core/formats/csv/words/rules.ts";
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
  const flags = Object.fromEntries(
    Object.entries(labels).map(([key, label]) => [key, quoted(label)]),
  ) as FlagNames;
  const { words, rules } = await loadTexts();
  try {
    const plan = planFile({ ...content, nowAt: Date.now(), flags, words }, draft);
    return { plan, error: plan ? "" : none };
  } catch (error) {
    if (!(error instanceof CsvRefusal)) throw error;
    const { path } = error;
    const line = /^line (\d+)$/.exec(path)?.[1];
    const isOption = line === undefined && path !== "file" && path !== "header";
    return { plan: undefined, error: problem(line, `${isOption ? `${path}: ` : ""}${error.say(rules)}`) };
  }
}

async function loadTexts(): Promise<{ readonly words: CsvWords; readonly rules: CsvRules }> {
  if (language.value !== "de") return { words: csvWords, rules: csvRules };
  const german = await import("../../texts/de-csv-rules.ts");
  return { words: german.csvWords, rules: german.csvRules };
}
