// Commands `version` and `licenses`.
import { defineCommand } from "../../command/command.ts";

export const programCommands = [
  defineCommand({
    name: "version",
    group: "help",
    summary: "Show the version",
    options: { json: { description: "Print version, platform and runtime as JSON" } },
    isLocal: true,
    examples: [
      ["torus version", ""],
      ["torus version --json", "also the platform and the version of the runtime"],
    ],
    async run({ print, version, platform, runtime }, { options: { json } }) {
      print(json ? JSON.stringify({ version, platform, runtime }) : version);
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
