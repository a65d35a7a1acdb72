// Commands version and licenses: what the program is, and what is in it.
import { defineCommand } from "../../command/command.ts";

export const programCommands = [
  defineCommand({
    name: "version",
    group: "help",
    summary: "Show the version",
    isLocal: true,
    examples: [["torus version", ""]],
    async run(context) {
      context.print(context.version);
    },
  }),
  defineCommand({
    name: "licenses",
    group: "help",
    summary: "Show the licences of the program and of all software in it",
    isLocal: true,
    examples: [["torus licenses | less", "its own, of the runtimes, and of each bundled package"]],
    async run({ print, readLicenses }) {
      print(await readLicenses());
    },
  }),
];
