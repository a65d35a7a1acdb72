// Commands serve, check-config and health.
import { serverOptions } from "../../../settings/flags.ts";
import { defineCommand } from "../../command/command.ts";

const { "check-config": _, insecure, config, ...others } = serverOptions;

export const serverCommands = [
  defineCommand({
    name: "serve",
    group: "server",
    summary: "Run the server",
    details: [
      "Settings can also come from the environment: server.listen is TORUS_SERVER_LISTEN.",
      "Options take precedence over the environment, the environment over the file.",
    ],
    options: serverOptions,
    isLocal: true,
    examples: [
      ["torus serve --listen localhost:9000 --data-dir ./data", "on another port, with the state in ./data"],
      ["torus serve --config torus.yml --workers 2", "with a settings file"],
    ],
    run: (context, { words }) => context.serve(words),
  }),
  defineCommand({
    name: "check-config",
    group: "server",
    summary: "Check the server's settings and exit",
    options: { config, insecure, ...others },
    isLocal: true,
    examples: [["torus check-config --config torus.yml", "exit code 2 and the reason if they are invalid"]],
    run: (context, { words }) => context.serve(["--check-config", ...words]),
  }),
  defineCommand({
    name: "health",
    group: "server",
    summary: "Check whether a server is ready; exit code 0 only if it is",
    examples: [["torus health", "as the health check of a container or a supervisor"]],
    async run(context) {
      const health = await context.client.call<unknown>("GET /readyz");
      context.answer(health, () => "ready");
    },
  }),
];
