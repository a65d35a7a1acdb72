// Command `npm run test:upgrade`: the upgrade of three nodes with compiled programs of both versions, more models and rounds.
import { cpSync, mkdtempSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeNextVersion } from "../support/next-version.ts";

const root = resolve(import.meta.dir, "../..");
const folder = mkdtempSync(join(tmpdir(), "torus-upgrade-"));

async function run(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error(`${args.join(" ")} failed`);
}

/** Sources of the next version; the build names packages by their place in them. */
function makeSources(): string {
  const sources = join(folder, "sources");
  makeNextVersion(sources);
  unlinkSync(join(sources, "node_modules"));
  cpSync(join(root, "node_modules"), join(sources, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return sources;
}

try {
  const [program, next] = [join(folder, "this/torus"), join(folder, "next/torus")];
  await run(root, [".ci/build.ts", "--out", program]);
  await run(makeSources(), [".ci/build.ts", "--out", next]);
  await run(root, ["test", "--timeout", "60000", "test/cluster/upgrade.test.ts"], {
    TORUS_PROGRAM: program,
    TEST_NEXT_PROGRAM: next,
    TEST_MODELS: process.env.TEST_MODELS ?? "40",
    TEST_ROUNDS: process.env.TEST_ROUNDS ?? "4",
    TEST_LEASE_S: process.env.TEST_LEASE_S ?? "5",
  });
} finally {
  rmSync(folder, { recursive: true });
}
