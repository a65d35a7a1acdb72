// Generated clients for tests: sources in a folder of their own, compiled where they are TypeScript.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Api, readApi } from "../../.ci/clients/api.ts";
import { writeModule } from "../../.ci/clients/python/module.ts";
import { compileSources } from "../../.ci/clients/typescript/package.ts";
import type { ApiDocument } from "../../src/http/docs/openapi-document.ts";
import { createFakeApp, send } from "../support/fake-app.ts";
import { temporaryFolder } from "../support/folder.ts";
import { readLines } from "../support/lines.ts";

/** The document of the application. */
export async function readDocument(): Promise<ApiDocument> {
  return (await (await send(createFakeApp(), "GET /openapi.json")).json()) as ApiDocument;
}

export async function readOwnApi(): Promise<Api> {
  return readApi(await readDocument());
}

/** Compiles the TypeScript client. @param more further modules of it @returns folder of the compiled modules */
export async function compileClient(api: Api, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = temporaryFolder();
  await compileSources(api, folder, more);
  return join(folder, "dist");
}

/** Whether the tests of the Python client can run; says so where they cannot. */
export function hasPython(): boolean {
  const found = Bun.which("python3") !== null;
  if (!found) console.log("the Python client is not tested: python3 is missing");
  return found;
}

/** Writes the Python client. @param more further modules @returns their folder */
export function writePythonClient(api: Api, more: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ "torus_client.py": writeModule(api), ...more }))
    writeFileSync(join(folder, name), text);
  return folder;
}

export interface PythonProcess {
  /** Sends a line of JSON. @returns the line it answers */
  ask(asked: object): Promise<string>;
  stop(): Promise<void>;
}

/** Runs a script beside the Python client; it answers each line with one. */
export function startPython(folder: string, script: string): PythonProcess {
  const child = Bun.spawn(["python3", "-W", "error", "-c", script], {
    cwd: folder,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = readLines(child.stdout);
  return {
    ask: async (asked) => {
      child.stdin.write(`${JSON.stringify(asked)}\n`);
      await child.stdin.flush();
      const { value } = await lines.next();
      if (value === undefined) throw new Error("the script has ended");
      return value;
    },
    stop: async () => {
      await child.stdin.end();
      await child.exited;
    },
  };
}
