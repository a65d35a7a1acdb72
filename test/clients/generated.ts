// Generated clients for tests: sources in a folder of their own, compiled where they are TypeScript.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Api, readApi } from "../../.ci/clients/api.ts";
import { writeModule } from "../../.ci/clients/python/module.ts";
import { compileSources } from "../../.ci/clients/typescript/package.ts";
import type { ApiDocument } from "../../src/http/docs/openapi-document.ts";
import { createFakeApp, send } from "../support/fake-app.ts";
import { temporaryFolder } from "../support/folder.ts";

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

/** Runs a script beside the Python client. @returns what it printed @throws Error with its errors */
export async function runPython(folder: string, script: string): Promise<string> {
  const child = Bun.spawn(["python3", "-W", "error", "-c", script], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(errors);
  return out;
}
