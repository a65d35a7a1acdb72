// Command `npm run clients`: packages of the TypeScript and the Python client into dist/clients.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { makeClients } from "./clients/make.ts";
import { root } from "./release/files.ts";
import { readReleaseTime } from "./release/time.ts";

const work = mkdtempSync(join(tmpdir(), "torus-clients-"));
const out = join(root, "dist/clients");
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const made = await makeClients({ work, out, releasedAt: await readReleaseTime() });
  for (const path of made) process.stdout.write(`${relative(root, path)} (${Bun.file(path).size} bytes)\n`);
} catch (error) {
  process.stderr.write(`clients: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
