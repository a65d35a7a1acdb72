// The next version of the server: a copy of the sources with a further migration in both dialects and another number.
import { chmodSync, cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import journal from "../../drizzle/meta/_journal.json" with { type: "json" };
import pack from "../../package.json" with { type: "json" };
import { migrations as ofPostgres } from "../../src/store/postgres/migrations.ts";
import { temporaryFolder } from "./folder.ts";

const root = resolve(import.meta.dir, "../..");
const NAME = "next_version";

/** Number of the next version: a minor one later. */
export const nextVersion: string = pack.version.replace(
  /^(\d+)\.(\d+)\..*$/,
  (_, major, minor) => `${major}.${Number(minor) + 1}.0`,
);

/** What the dialects have in common: columns in tables that are written all the time, a table and an index. */
const statements = [
  'ALTER TABLE "live" ADD "next_note" text',
  'ALTER TABLE "models" ADD "next_count" integer DEFAULT 0 NOT NULL',
  'CREATE TABLE "next_notes" ("model" text PRIMARY KEY NOT NULL, FOREIGN KEY ("model") REFERENCES "models"("name") ON DELETE cascade)',
  'CREATE INDEX "next_by_note" ON "live" ("next_note")',
];

export interface NextVersion {
  /** Folder of the sources. */
  readonly folder: string;
  /** Runs them, as the compiled program does. */
  readonly program: string;
}

/** Makes it, with the packages of this one. */
export function makeNextVersion(folder = temporaryFolder()): NextVersion {
  for (const part of ["src", "wasm", "drizzle", ".ci", "test/data", "LICENSE"]) copy(part);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...pack, version: nextVersion }));
  addSqlite(folder);
  addPostgres(folder);
  const program = join(folder, "torus");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(folder, "src/main.ts")}' "$@"\n`);
  chmodSync(program, 0o755);
  return { folder, program };

  function copy(part: string): void {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
}

function addSqlite(folder: string): void {
  const { entries } = journal;
  const last = entries.at(-1)!;
  const tag = `${String(last.idx + 1).padStart(4, "0")}_${NAME}`;
  writeFileSync(join(folder, `drizzle/${tag}.sql`), statements.join(";\n--> statement-breakpoint\n"));
  const added = { ...last, idx: last.idx + 1, when: last.when + 1, tag };
  writeFileSync(
    join(folder, "drizzle/meta/_journal.json"),
    JSON.stringify({ ...journal, entries: [...entries, added] }),
  );
  register(join(folder, "src/store/db/migrations.ts"), {
    file: `../../../drizzle/${tag}.sql`,
    after: `  "${last.tag}": `,
    line: `  "${tag}": nextVersion,`,
  });
}

function addPostgres(folder: string): void {
  const last = ofPostgres.at(-1)![0];
  const tag = `${String(ofPostgres.length).padStart(4, "0")}_${NAME}`;
  writeFileSync(join(folder, `drizzle/postgres/${tag}.sql`), statements.join(";\n"));
  register(join(folder, "src/store/postgres/migrations.ts"), {
    file: `../../../drizzle/postgres/${tag}.sql`,
    after: `  ["${last}", `,
    line: `  ["${tag}", nextVersion],`,
  });
}

interface Registration {
  readonly file: string;
  /** Start of the line that the new one follows. */
  readonly after: string;
  readonly line: string;
}

/** Adds the import of a migration and its line in the list. */
function register(path: string, { file, after, line }: Registration): void {
  const lines = readFileSync(path, "utf8").split("\n");
  const place = lines.findIndex((one) => one.startsWith(after));
  if (place < 0) throw new Error(`no line of ${path} starts with ${after.trim()}`);
  lines.splice(place + 1, 0, line);
  lines.splice(1, 0, `import nextVersion from "${file}" with { type: "text" };`);
  writeFileSync(path, lines.join("\n"));
}
