// The error of a word that is no command, with the command that was probably meant.
import { invalid } from "../../core/errors.ts";
import { suggestClosest } from "../../core/input/suggest.ts";
import type { Command } from "./command.ts";

/** `models` means `list-models`, `list-tokens` means `token list`; others are compared by their letters. */
export function unknownCommand(word: string, commands: readonly Command[]) {
  const shown = commands.filter(({ isHidden }) => !isHidden);
  const names = shown.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const [verb = "", ...rest] = word.split("-");
  const turned = `${rest.join("-").replace(/s$/, "")} ${verb}`;
  const near =
    names.find((name) => name === `list-${word}` || name === turned) ?? suggestClosest(word, names);
  return invalid(word, `is not a command; ${near ? `did you mean ${near}?` : "see torus help"}`);
}
