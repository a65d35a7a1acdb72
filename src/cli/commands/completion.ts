// Commands help, completion, and the hidden __complete behind the scripts.
import { formatSeries } from "../../core/model/series-text.ts";
import { withDeadline } from "../../runtime/deadline.ts";
import { pathOf } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { createContext } from "../command/context.ts";
import { renderCommandHelp, renderOverview } from "../command/help.ts";
import { unknownCommand } from "../command/unknown.ts";
import { findOffers, type Offer, type WantedNames } from "../completion/offers.ts";
import { scripts } from "../completion/scripts.ts";
import { clean } from "../terminal/table.ts";

const help = defineCommand({
  name: "help",
  group: "help",
  summary: "Show all commands, or the help of one",
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
    throw unknownCommand(name, commands);
  },
});

const shells = Object.keys(scripts);

const completion = defineCommand({
  name: "completion",
  group: "help",
  summary: "Print a completion script for a shell: commands, options, names",
  arguments: { shell: { description: "Shell", choices: shells } },
  isLocal: true,
  examples: [
    ['eval "$(torus completion bash)"', "in ~/.bashrc"],
    ["torus completion zsh > ~/.zfunc/_torus", "in a folder of fpath; then restart zsh"],
    ["torus completion fish > ~/.config/fish/completions/torus.fish", ""],
  ],
  async run({ print }, { arguments: { shell } }) {
    print(scripts[shell as keyof typeof scripts]);
  },
});

/** Timeout for completions: a hanging shell is worse than no suggestions. */
const COMPLETION_TIMEOUT_MS = 1000;
/** Newest jobs, and series, that are offered. */
const MAX_OFFERED = 100;

const complete = defineCommand({
  name: "__complete",
  group: "help",
  summary: "List the words that may stand at the end of a command line, for completion scripts",
  isHidden: true,
  isLocal: true,
  arguments: { words: { description: "Words after the program; the last one is completed", many: true } },
  examples: [
    [
      "torus __complete -- show-model tr",
      "word, tab, description; no names if no server answers within a second",
    ],
  ],
  async run(context, { arguments: { words } }) {
    const current = words.at(-1)!;
    const before = words.slice(0, -1).filter((word) => word !== "");
    const found = findOffers(before, current, context.commands);
    const offers = "kind" in found ? await offerNames(context, found, current) : found;
    const lines = offers
      .filter(({ word }) => word.startsWith(current))
      .map(({ word, description = "" }) => `${word}\t${description}`);
    if (lines.length > 0) context.print(lines.join("\n"));
  },
});

/** Names on the server, by the connection of the line that is completed; none in time, none at all. */
async function offerNames(context: Context, wanted: WantedNames, prefix: string): Promise<Offer[]> {
  const list = async () => {
    const { client } = createContext(context, context.terminal, { ...context.globals, ...wanted.connection });
    return listNames(client, wanted, prefix);
  };
  const names = await withDeadline(COMPLETION_TIMEOUT_MS, list).catch((): string[] => []);
  return names.filter((name) => clean(name) === name).map((word) => ({ word }));
}

async function listNames(
  client: Context["client"],
  { kind, model }: WantedNames,
  prefix: string,
): Promise<string[]> {
  switch (kind) {
    case "models": {
      const models = await client.call<{ settings: { name: string } }[]>("GET /models");
      return models.map(({ settings }) => settings.name);
    }
    case "jobs": {
      const query = { fields: "result", sort: "start_timestamp:-1", per_page: MAX_OFFERED, page: 0 };
      return (await client.call<{ id: string }[]>("GET /jobs", { query })).map(({ id }) => id);
    }
    case "hooks":
      return model ? client.call<string[]>(`GET ${pathOf("models", [model])}/hooks`) : [];
    case "series":
      return model ? listSeries(client, model, prefix) : [];
    default:
      return (await client.call<{ name: string }[]>(`GET /${kind}`)).map(({ name }) => name);
  }
}

/** Series as in `host:a,cpu:0`, narrowed by the value of the first tag, as far as it is typed. */
async function listSeries(client: Context["client"], model: string, prefix: string): Promise<string[]> {
  const q = /^[^:,\\]+:([^:,\\]+)/.exec(prefix)?.[1];
  const query = {
    ...(q !== undefined && { q }),
    fields: "tags",
    include_fields: true,
    page: 0,
    per_page: MAX_OFFERED,
  };
  const list = await client.call<{ tags: Record<string, string> }[]>(
    `GET ${pathOf("models", [model])}/series`,
    {
      query,
    },
  );
  return list.map(({ tags }) => formatSeries(tags));
}

export const helpCommands = [help, completion, complete];
