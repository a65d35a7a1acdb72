// Suites that hold on every engine, on a real PostgreSQL: all tests of the store, and the contract with clients.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { startServer } from "../../support/server-process.ts";
import { isServerRequired } from "../../support/spawned.ts";

const SUITE_MS = 300_000;
const root = join(import.meta.dir, "../../..");
/** Tests of files, locks and keys of SQLite, and of both engines. */
const ofFiles = ["db/migrations.test.ts", "db/open.test.ts", "secrets", "transfer"];

if (postgresMissing) console.log(postgresMissing);

/** Runs tests in a process of their own. @returns the number that passed */
async function runTests(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const output = texts.join("\n");
  if ((await child.exited) !== 0)
    throw new Error(
      output
        .split("\n")
        .filter((line) => !line.startsWith("(pass)"))
        .join("\n"),
    );
  return Number(/^ (\d+) pass$/m.exec(output)?.[1] ?? 0);
}

function listStoreTests(): string[] {
  const files = readdirSync(join(root, "test/store"), { recursive: true, encoding: "utf8" });
  const isShared = (file: string) =>
    !file.startsWith("postgres") && !ofFiles.some((part) => file.startsWith(part));
  return files
    .filter((file) => file.endsWith(".test.ts") && isShared(file))
    .map((file) => `test/store/${file}`);
}

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("on PostgreSQL", () => {
  let postgres: Postgres;
  const urlOf = () => `postgres://${owner.user}:${owner.password}@${postgres.addr}/${postgres.database}`;

  beforeAll(async () => {
    postgres = await startPostgres();
  }, SUITE_MS);
  afterAll(() => postgres?.stop());

  test(
    "the tests of the store pass",
    async () => {
      const args = ["test", "--timeout", "60000", ...listStoreTests()];
      expect(await runTests(args, { TEST_POSTGRES: urlOf() })).toBeGreaterThan(200);
    },
    SUITE_MS,
  );

  test(
    "the contract with clients holds",
    async () => {
      const env = { TORUS_KEY: Buffer.alloc(32, 1).toString("base64"), TORUS_STORAGE_URL: urlOf() };
      const server = await startServer({ dataDir: temporaryFolder(), env });
      try {
        const args = ["test/contract/run.ts", "--base", server.url];
        expect(await runTests(args, { CONTRACT_STATE: "database" })).toBeGreaterThan(700);
      } finally {
        await server.kill();
      }
    },
    SUITE_MS,
  );
});
