// A whole server in this process, on a free port, with a data directory of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../src/log.ts";
import { startServices } from "../../src/services.ts";
import { readSettings } from "../../src/settings.ts";

export interface TestServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Every line it has logged. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "torus-server-"));
  const lines: string[] = [];
  const argv = ["--listen", "127.0.0.1:0", "--data-dir", dataDir];
  const command = readSettings({ argv, env: {}, readFile: () => "" });
  if (command.action !== "serve") throw new Error("no settings to serve with");
  const log = createLog({ level: "debug", write: (line) => lines.push(line), now: () => Date.now() });
  const services = await startServices(command.settings, log);
  return {
    url: services.url.replace(/\/$/, ""),
    lines,
    stop: async () => {
      await services.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
