// Presets by name: those in the program, those of a folder, and single files.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { invalid, TorusError } from "../../core/errors.ts";
import { suggestClosest } from "../../core/input/suggest.ts";
import { readSettingsFile } from "../input/files.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { presets } from "./index.ts";
import type { Preset } from "./preset.ts";

/** Most files of a folder of presets. */
export const MAX_PRESET_FILES = 256;
const PRESET_FILE = /\.(ya?ml|json)$/;

interface ListedPreset extends Preset {
  /** Where it is from; absent: the program. */
  readonly file?: string;
}

/**
 * The presets in the program and those of a folder, which replace those of their names.
 * @throws TorusError `invalid` naming file, field and rule
 */
export async function listPresets(
  folder: string | undefined,
  terminal: Terminal,
): Promise<readonly ListedPreset[]> {
  const byName = new Map<string, ListedPreset>(presets.map((preset) => [preset.name, preset]));
  for (const file of folder === undefined ? [] : listFiles(folder)) {
    const preset = await readPreset(file, terminal);
    const other = byName.get(preset.name)?.file;
    if (other !== undefined) throw invalid(file, `name: must be unique, ${other} has it`);
    byName.set(preset.name, preset);
  }
  return [...byName.values()];
}

/**
 * @param choice a name, or the path of a file
 * @throws TorusError `invalid` for an unknown name; naming file, field and rule for a file
 */
export async function findPreset(
  choice: string,
  folder: string | undefined,
  terminal: Terminal,
): Promise<Preset> {
  if (choice.includes("/") || PRESET_FILE.test(choice)) return readPreset(choice, terminal);
  const known = await listPresets(folder, terminal);
  const preset = known.find(({ name }) => name === choice);
  if (preset) return preset;
  const names = known.map(({ name }) => name);
  const near = suggestClosest(choice, names);
  const rule = `must be the path of a file, or one of ${names.join(", ")}`;
  throw invalid("--preset", near ? `${rule}; did you mean ${near}?` : rule);
}

async function readPreset(file: string, terminal: Terminal): Promise<ListedPreset> {
  const value = await readSettingsFile(file, terminal);
  // Imported on demand: its schemas would slow the start of every other command.
  const { checkPreset } = await import("./check.ts");
  try {
    return { ...checkPreset(value), file };
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    throw invalid(file, error.message);
  }
}

/** Sorted by name. */
function listFiles(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => PRESET_FILE.test(name) && !name.startsWith("."));
  } catch {
    throw invalid(folder, "must be a folder that can be read");
  }
  if (names.length > MAX_PRESET_FILES) throw invalid(folder, `must hold at most ${MAX_PRESET_FILES} presets`);
  return names.toSorted().map((name) => join(folder, name));
}
