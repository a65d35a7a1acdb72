// Command `npm test`: files in processes of their own, in phases: most of them, servers and what they talk to, clusters.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

/** Several servers or crashes each, with leases and deadlines as in production, which leave half of two cores idle. */
const crowds = ["cluster", "crash", "soak"].map((folder) => `test/${folder}`);
/** A server each, and a browser or a broker, a database, a mail server: they wait for one another more than they compute. */
const together = ["test/ui/browser", "test/e2e"];
const TOGETHER = 3;
const CROWDS = 2;
/**
 * Memory that is free stays with its process, here and in servers: to give it back and to ask again took a fifth of the
 * CPU. Files live too short for the best compiler of WebAssembly; helpers of the collector take what other files need.
 */
const env = {
  ...{ MIMALLOC_PURGE_DELAY: "-1", BUN_JSC_useOMGJIT: "0", BUN_JSC_numberOfGCMarkers: "1" },
  ...process.env,
};
/** Ends what hangs: far above what the longest test takes on a machine five times slower. */
const TIMEOUT_MS = 180_000;
const MAX_WORKERS = 4;
/** Files beyond the number of cores at a time: some wait for a server or a clock. */
const WAITING = 1;
const common = ["test", "--timeout", String(TIMEOUT_MS)];
let program = process.env.TORUS_PROGRAM;
const workers = Math.min(MAX_WORKERS, availableParallelism() + WAITING);
const timings = "--timings=test/timings.json";
const parallel = [timings, `--parallel=${workers}`];

/** Runs a command of Bun. @returns the exit code */
async function run(args: readonly string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    env: { ...env, ...(program && { TORUS_PROGRAM: program }) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return await child.exited;
}

const given = process.argv.slice(2);
const phases =
  given.length > 0
    ? [[...parallel, ...given]]
    : [
        [...parallel, ...[...together, ...crowds].map((folder) => `--path-ignore-patterns=${folder}/**`)],
        [timings, `--parallel=${TOGETHER}`, ...together],
        [timings, `--parallel=${CROWDS}`, ...crowds],
      ];
const codes: number[] = [];
const folder = mkdtempSync(join(tmpdir(), "torus-program-"));
// Hundreds of servers start in half the time of the sources, which `npm test -- PATH` and test/main.test.ts start.
if (given.length === 0 && !program) {
  const out = join(folder, "torus");
  const code = await run([".ci/build.ts", "--out", out]);
  codes.push(code);
  if (code === 0) program = out;
}
for (const phase of phases) codes.push(await run([...common, ...phase]));
rmSync(folder, { recursive: true });
process.exitCode = codes.find((code) => code !== 0) ?? 0;
