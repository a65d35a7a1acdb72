// Command `npm run test:binary`: compiles the server and runs the tests against the binary.
import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startServer } from "../support/server-process.ts";

const root = resolve(import.meta.dir, "../..");
const folder = mkdtempSync(join(tmpdir(), "torus-binary-"));
const program = join(folder, "torus");
let failures = 0;

/** Runs a command of this project against the binary. @param env what tells it where to look */
async function prove(title: string, command: readonly string[], env: Record<string, string>): Promise<void> {
  console.log(`== ${title}`);
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await child.exited;
  if (code === 0) return;
  failures++;
  console.log(`FAILED: ${title} (exit code ${code})`);
}

/** From start to first answer, ms; the median of some starts. */
async function measureStart(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const dataDir = join(folder, `start-${i}`);
    const startedAt = performance.now();
    const server = await startServer({ dataDir });
    await fetch(`${server.url}/`);
    times.push(performance.now() - startedAt);
    await server.stop();
    rmSync(dataDir, { recursive: true });
  }
  return times.sort((a, b) => a - b)[2]!;
}

async function proveContract(): Promise<void> {
  const server = await startServer({ dataDir: join(folder, "contract") });
  await prove("the contract", ["test/contract/run.ts", "--base", server.url], {});
  const code = await server.stop();
  if (code === 0) return;
  failures++;
  console.log(`FAILED: the server stopped with exit code ${code}`);
}

try {
  await prove("build", [".ci/build.ts", "--out", program], {});
  // From here on nothing of the sources is within its reach: it lies and runs in a folder of its own.
  process.env.TORUS_PROGRAM = program;
  console.log(
    `${(statSync(program).size / 1e6).toFixed(1)} MB; first answer after ${(await measureStart()).toFixed(0)} ms (median of 5)`,
  );
  await proveContract();
  const env = { TORUS_PROGRAM: program };
  await prove("the service as a client sees it; restarts and kills", ["test", "test/e2e", "test/docs"], env);
  await prove("the demo", ["test/demo/demo.ts"], env);
  const kept = join(root, "dist/torus");
  if (failures === 0) cpSync(program, kept);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "the binary does what the sources do" : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
