// Commands about commands: help, version, completion of words in a shell.
import { invalid } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import { defineCommand } from "../command.ts";
import { renderCompletion, shells } from "../completion.ts";
import { renderCommandHelp, renderOverview } from "../help.ts";

const help = defineCommand({
  name: "help",
  group: "help",
  summary: "Show the commands, or the help of one",
  arguments: { command: { description: "Command", optional: true, many: true } },
  isLocal: true,
  examples: [["torus help train-model", "its options and examples"]],
  async run({ commands, print }, { arguments: { command: words } }) {
    const name = words.join(" ");
    if (name === "") return void print(renderOverview(commands));
    const command = commands.find((known) => known.name === name || known.aliases?.includes(name));
    if (command) return void print(renderCommandHelp(command));
    const family = commands.filter((known) => known.name.startsWith(`${name} `));
    if (family.length > 0) return void print(family.map(renderCommandHelp).join("\n"));
    const near = nearest(
      name,
      commands.map((known) => known.name),
    );
    throw invalid(name, `is no command; ${near ? `did you mean ${near}?` : "see torus help"}`);
  },
});

const version = defineCommand({
  name: "version",
  group: "help",
  summary: "Show the version",
  isLocal: true,
  examples: [["torus version", ""]],
  async run(context) {
    context.print(context.version);
  },
});

const completion = defineCommand({
  name: "completion",
  group: "help",
  summary: "Print a script that completes commands and options in a shell",
  arguments: { shell: { description: "Shell", choices: shells } },
  isLocal: true,
  examples: [
    ['eval "$(torus completion bash)"', "in ~/.bashrc"],
    ["torus completion zsh > ~/.zfunc/_torus", "a folder of fpath; then start zsh again"],
    ["torus completion fish > ~/.config/fish/completions/torus.fish", ""],
  ],
  async run({ commands, print }, { arguments: { shell } }) {
    print(renderCompletion(shell, commands));
  },
});

export const helpCommands = [help, version, completion];
