// Command list-presets, and the option for a folder of presets.
import { defineCommand } from "../../command/command.ts";
import { answerTable } from "../../output/present.ts";
import { listPresets } from "../../presets/read.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export const presetsOption = {
  presets: {
    value: "DIR",
    fallback: "TORUS_PRESETS",
    description: "Folder with presets of your own, a YAML or JSON file each",
  },
} as const;

/** The folder of the option or of the environment. */
export function folderOfPresets(
  { presets }: { readonly presets?: string | undefined },
  { env }: Pick<Terminal, "env">,
): string | undefined {
  return presets ?? (env.TORUS_PRESETS || undefined);
}

export const listPresetsCommand = defineCommand({
  name: "list-presets",
  group: "live detection",
  summary: "List the presets of torus watch",
  options: presetsOption,
  examples: [
    ["torus list-presets", "what each watches, and its models"],
    ["torus list-presets --presets ./presets", "with those of a folder"],
  ],
  async run(context, { options }) {
    const { terminal } = context;
    const presets = await listPresets(folderOfPresets(options, terminal), terminal);
    answerTable(context, presets, {
      columns: [
        { title: "NAME", value: ({ name }) => name },
        { title: "WATCHES", value: ({ title }) => title },
        { title: "MODELS", value: ({ models }) => models.map(({ name }) => name).join(", ") },
        { title: "FILE", value: ({ file }) => file ?? "-" },
      ],
      name: ({ name }) => name,
      empty: "no presets",
    });
    return undefined;
  },
});
