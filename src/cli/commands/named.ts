// Commands that resources with names share: list, show, delete.
import { pathOf } from "../client/client.ts";
import { type Context, defineCommand, type groups } from "../command/command.ts";
import { allOption } from "../command/options.ts";
import { answerObjects, answerTable } from "../output/present.ts";
import type { Column } from "../terminal/table.ts";
import { deleteResources, yesOption } from "../work/deletion.ts";

interface NamedNoun {
  /** Singular, as in `scheduled job`. */
  readonly noun: string;
  readonly group: (typeof groups)[number];
  /** The argument that takes names; absent: the noun. */
  readonly argument?: { readonly key: string; readonly description: string };
}

interface ListSpec<T> {
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly effect: string;
  /** Beside the name. */
  readonly columns: (context: Context) => readonly Column<T>[];
  readonly empty: string;
}

interface NamesSpec {
  readonly summary: string;
  /** Names of the example, and its effect. */
  readonly example: readonly [names: string, effect: string];
}

interface DeletionSpec extends NamesSpec {
  /** What `--force` does; absent: there is none. */
  readonly force?: string;
}

const nameOf = (noun: string) => ({
  key: noun,
  description: `${noun[0]!.toUpperCase()}${noun.slice(1)} name`,
});

/** `list-nouns`, `show-noun` and `delete-noun`. */
export function namedCommands<T extends { readonly name: string }>(
  { noun, group, argument }: NamedNoun,
  spec: { readonly list: ListSpec<T>; readonly show: NamesSpec; readonly delete: DeletionSpec },
) {
  const word = noun.replaceAll(" ", "-");
  const path = `${noun.replaceAll(" ", "_")}s`;
  const { key, description } = argument ?? nameOf(noun);
  const names = { [key]: { description, many: true } } as const;
  const { columns, empty, effect, ...listed } = spec.list;
  const list = defineCommand({
    ...{ name: `list-${word}s`, group, ...listed },
    options: allOption,
    examples: [[`torus list-${word}s`, effect]],
    async run(context, { options: { all } }) {
      const rows = await context.client.call<T[]>(`GET /${path}`);
      if (all) return answerObjects(context, rows);
      const name = (row: T) => row.name;
      answerTable(context, rows, {
        columns: [{ title: "NAME", value: name }, ...columns(context)],
        ...{ name, empty },
      });
    },
  });
  const show = defineCommand({
    ...{ name: `show-${word}`, group, summary: spec.show.summary, arguments: names },
    examples: [[`torus show-${word} ${spec.show.example[0]}`, spec.show.example[1]]],
    run: async (context, { arguments: { [key]: given } }) =>
      answerObjects(context, await context.client.call<object[]>(`GET ${pathOf(path, given!)}`)),
  });
  const { summary, example, force } = spec.delete;
  const remove = defineCommand({
    ...{ name: `delete-${word}`, group, summary, arguments: names },
    options: { ...(force !== undefined && { force: { description: force } }), ...yesOption },
    examples: [[`torus delete-${word} ${example[0]}`, example[1]]],
    run(context, { arguments: { [key]: given }, options: { yes, ...query } }) {
      return deleteResources(context, { noun, names: given!, path: pathOf(path, given!), query, yes });
    },
  });
  return { list, show, remove };
}
