// Commands help, version, completion, and the hidden __complete behind the scripts.
import { invalid } from "../../core/errors.ts";
import { suggestClosest } from "../../core/input/suggest.ts";
import { formatSeries } from "../../core/model/series-text.ts";
import { sleep } from "../../runtime/deadline.ts";
import { pathOf } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { renderCommandHelp, renderOverview } from "../command/help.ts";
import { type NameKind, nameKinds } from "../completion/entries.ts";
import { renderCompletion, shells } from "../completion/index.ts";
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
    const near = suggestClosest(
      name,
      commands.filter(({ isHidden }) => !isHidden).map((known) => known.name),
    );
    throw invalid(name, `is not a command; ${near ? `did you mean ${near}?` : "see torus help"}`);
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
  summary: "Print a completion script for a shell: commands, options, names",
  arguments: { shell: { description: "Shell", choices: shells } },
  isLocal: true,
  examples: [
    ['eval "$(torus completion bash)"', "in ~/.bashrc"],
    ["torus completion zsh > ~/.zfunc/_torus", "in a folder of fpath; then restart zsh"],
    ["torus completion fish > ~/.config/fish/completions/torus.fish", ""],
  ],
  async run({ commands, print }, { arguments: { shell } }) {
    print(renderCompletion(shell, commands));
  },
});

/** Timeout for completions: a hanging shell is worse than no suggestions. */
const COMPLETION_TIMEOUT_MS = 1000;
/** Newest jobs, and series, that are offered. */
const MAX_OFFERED = 100;

const complete = defineCommand({
  name: "__complete",
  group: "help",
  summary: "List names on the server by prefix, for completion scripts",
  isHidden: true,
  arguments: {
    kind: { description: "Kind", choices: nameKinds },
    prefix: { description: "Prefix of the names", optional: true },
    model: { description: "Model of hooks or series", optional: true },
  },
  examples: [["torus __complete models tr", "nothing if no server answers within a second"]],
  async run(context, { arguments: { kind, prefix = "", model } }) {
    const listed = listNames(context, kind as NameKind, { prefix, model }).catch((): string[] => []);
    const names = await Promise.race([listed, sleep(COMPLETION_TIMEOUT_MS).then((): string[] => [])]);
    const offered = names.filter((name) => name.startsWith(prefix) && clean(name) === name);
    if (offered.length > 0) context.print(offered.join("\n"));
  },
});

interface Wanted {
  readonly prefix: string;
  readonly model: string | undefined;
}

async function listNames({ client }: Context, kind: NameKind, { prefix, model }: Wanted): Promise<string[]> {
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

export const helpCommands = [help, version, completion, complete];
