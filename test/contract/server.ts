// A server in this process, on a free port, with its own data directory.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServices } from "../../src/app/services.ts";
import { readSettings } from "../../src/settings/load.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { perFile } from "../support/per-test.ts";

export interface TestServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Every line it has logged. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** Text of its settings file. */
  readonly settings?: string;
  /** Its data directory, which then stays; default: one of its own. */
  readonly dir?: string;
  readonly args?: readonly string[];
}

export async function startTestServer({
  settings = "",
  dir,
  args = [],
}: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = dir ?? mkdtempSync(join(tmpdir(), "torus-server-"));
  const lines: string[] = [];
  const argv = ["--config", "f", "--listen", "127.0.0.1:0", "--data-dir", dataDir, ...args];
  // Each worker compiles the compute runtime for itself.
  const env = { TORUS_SERVER_WORKERS: "1" };
  const command = readSettings({ argv, env, readFile: (path) => readSetting(path, settings) });
  if (command.action !== "serve") throw new Error("no settings to serve with");
  const log = createLog({ level: "debug", write: (line) => lines.push(line), now: () => Date.now() });
  const services = await startServices(command.settings, log);
  return {
    url: services.url.replace(/\/$/, ""),
    lines,
    stop: async () => {
      await services.stop();
      if (dir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A server for the tests of a file. */
export function useTestServer(options?: TestServerOptions): TestServer {
  return perFile(
    () => startTestServer(options),
    (server) => server.stop(),
  );
}

/** The settings file, which is only a text, and the files it names. */
function readSetting(path: string, settings: string): string {
  return path === "f" ? settings : readFileSync(path, "utf8");
}
