// Commands of the bin: undo deletions, list what can be restored, delete it for good.
import type { BinEntryView, RestoredView } from "../../api/server/bin.ts";
import { invalid } from "../../core/errors.ts";
import { type Client, pathOf } from "../client/client.ts";
import { defineCommand } from "../command/command.ts";
import { EXIT_FAILED } from "../command/exit-codes.ts";
import { answerTable, instantColumn } from "../output/present.ts";
import { formatBytes } from "../terminal/format.ts";
import { confirm, yesOption } from "../work/deletion.ts";

/** Entries of one request. */
const PAGE = 100;

const fetchNewest = ({ call }: Client) =>
  call<BinEntryView[]>("GET /bin", { query: { page: 0, per_page: PAGE } });

const undo = defineCommand({
  name: "undo",
  group: "administration",
  summary: "Restore what the last deletion has deleted",
  details: [
    "A model comes back with its versions, hooks and labels, and is live again if it was; a local bucket with its points.",
    "What one command or request has deleted is restored together.",
  ],
  arguments: {
    id: { optional: true, description: "Entry of the bin, as list-bin shows it; default: the last deletion" },
  },
  options: { name: { value: "NAME", description: "Another name for the entry" } },
  examples: [
    ["torus undo", "the last deletion"],
    ["torus undo 3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10 --name old", "beside a new one of its name"],
  ],
  async run(context, { arguments: { id }, options: { name } }) {
    const { client } = context;
    const query = name === undefined ? {} : { name };
    const restored: RestoredView[] = [];
    const restore = async (ids: readonly string[]) => {
      restored.push(...(await client.call<RestoredView[]>(`POST ${pathOf("bin", ids)}/_restore`, { query })));
    };
    if (id !== undefined) await restore([id]);
    else {
      const last = lastDeletion(await fetchNewest(client));
      if (last.length === 0) throw invalid("undo", "the bin is empty: nothing was deleted lately");
      await restore(last.map((entry) => entry.id));
      for (;;) {
        const more = lastDeletion(await fetchNewest(client)).filter((entry) => isTogether(entry, last[0]!));
        if (more.length === 0) break;
        await restore(more.map((entry) => entry.id));
      }
    }
    context.answer(restored, () => restored.map(describeRestored).join("\n"));
    return undefined;
  },
});

/** The entries that were deleted with the newest one. */
function lastDeletion(entries: readonly BinEntryView[]): BinEntryView[] {
  return entries.filter((entry) => isTogether(entry, entries[0]!));
}

function isTogether(a: BinEntryView, b: BinEntryView): boolean {
  return a.deleted_timestamp === b.deleted_timestamp && a.deleted_by === b.deleted_by;
}

function describeRestored({ kind, name, model, live, note }: RestoredView): string {
  const of = model === undefined ? "" : ` of model ${model}`;
  return `restored ${kind.replace("_", " ")} ${name}${of}${live ? ", live again" : ""}${note ? `; ${note}` : ""}`;
}

const listBin = defineCommand({
  name: "list-bin",
  group: "administration",
  summary: "List what was deleted and can be restored, newest first",
  examples: [["torus list-bin", "kind, name, and until when"]],
  async run(context) {
    const entries = await fetchNewest(context.client);
    answerTable(context, entries, {
      columns: [
        { title: "ID", value: ({ id }) => id },
        { title: "KIND", value: ({ kind }) => kind.replace("_", " ") },
        { title: "NAME", value: ({ name, model }) => (model === undefined ? name : `${model} ${name}`) },
        { title: "BY", value: (entry) => entry.deleted_by ?? "-" },
        instantColumn(context, "DELETED", { at: (entry) => entry.deleted_timestamp }),
        instantColumn(context, "UNTIL", { at: (entry) => entry.expires_timestamp }),
        { title: "SIZE", value: ({ bytes }) => formatBytes(bytes) },
      ],
      name: ({ id }) => id,
      empty: "the bin is empty",
    });
  },
});

const emptyBin = defineCommand({
  name: "empty-bin",
  group: "administration",
  summary: "Delete entries of the bin for good, or all of them",
  arguments: { id: { many: true, optional: true, description: "Entries; default: all" } },
  options: yesOption,
  examples: [["torus empty-bin --yes", "frees the space of what was deleted"]],
  async run(context, { arguments: { id: ids = [] }, options: { yes } }) {
    const what = ids.length === 0 ? "everything in the bin" : ids.join(", ");
    if (!yes && !(await confirm(context, `Delete ${what} for good?`))) return EXIT_FAILED;
    const remove = (some: readonly string[]) => context.client.call(`DELETE ${pathOf("bin", some)}`);
    let count = ids.length;
    if (count > 0) await remove(ids);
    else
      for (;;) {
        const entries = await fetchNewest(context.client);
        if (entries.length === 0) break;
        await remove(entries.map((entry) => entry.id));
        count += entries.length;
      }
    context.note(`deleted for good: ${count}`);
    return undefined;
  },
});

export const binCommands = [undo, listBin, emptyBin];
