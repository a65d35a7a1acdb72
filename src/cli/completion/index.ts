// Completion scripts for shells, rendered from the table of commands.
import type { Command } from "../command/command.ts";
import { renderBash } from "./bash.ts";
import { toEntries } from "./entries.ts";
import { renderFish } from "./fish.ts";
import { renderZsh } from "./zsh.ts";

export const shells = ["bash", "zsh", "fish"] as const;

/** The script. @param shell one of `shells` */
export function renderCompletion(shell: string, commands: readonly Command[]): string {
  const entries = toEntries(commands);
  if (shell === "fish") return renderFish(entries);
  return shell === "zsh" ? renderZsh(entries) : renderBash(entries);
}
