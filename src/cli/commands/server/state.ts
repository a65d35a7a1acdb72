// Commands migrate-state, reseal and check: work on the data directory without a server.
import { serverOptions } from "../../../settings/flags.ts";
import {
  type Context,
  defineCommand,
  type MigratedState,
  type MigrationProgress,
} from "../../command/command.ts";
import { answerDone, answerTable } from "../../output/present.ts";
import { formatCount } from "../../terminal/format.ts";
import { openProgress } from "../../work/follow-job.ts";

const { config, "data-dir": dataDir } = serverOptions;
const settingsOptions = { config, "data-dir": dataDir };

function answerMigrated(context: Context, { tables, to, left }: MigratedState): void {
  answerTable(
    context,
    tables.filter(({ rows }) => rows > 0),
    {
      columns: [
        { title: "TABLE", value: ({ table }) => table },
        { title: "ROWS", align: "right", value: ({ rows }) => formatCount(rows), raw: ({ rows }) => rows },
      ],
      name: ({ table }) => table,
      empty: "the state was empty",
    },
  );
  if (left) context.note(`the database of the data directory is left as ${left}`);
  context.note(
    to === "database"
      ? "next: set storage.url to the database, keep the key, and start the server"
      : "next: remove storage.url, keep the key, and start the server on the directory; drop the schema torus when nothing is missing",
  );
}

const migrateState = defineCommand({
  name: "migrate-state",
  group: "administration",
  summary: "Move the state from the data directory to PostgreSQL, or back; the server must be stopped",
  details: [
    "Copies everything in one transaction and compares the copy; the source is kept. --to and the settings may hold",
    `\${NAME}, an environment variable: a password in the command line itself is visible to other users.`,
  ],
  options: {
    to: {
      value: "TARGET",
      fallback: "storage.url of the settings",
      description: `A PostgreSQL, as in 'postgres://torus:\${PG_PASSWORD}@db/torus'; or a directory, to move back`,
    },
    "without-local": {
      description: "Also if points of local buckets stay behind: they are files of the data directory",
    },
    ...settingsOptions,
  },
  examples: [
    ["torus migrate-state --config torus.yml", "from storage.path to storage.url of the settings"],
    ["torus migrate-state --config torus.yml --to ./data", "back, from storage.url to a directory"],
  ],
  async run(
    context,
    { options: { to, "without-local": withoutLocal, config: file, "data-dir": directory } },
  ) {
    const maintenance = await context.openMaintenance();
    const line = openProgress(context, "copy");
    const onProgress = ({ table, done, total }: MigrationProgress) =>
      line.update({ share: done / total, note: `${formatCount(done)} rows, ${table}` });
    const choice = { config: file, dataDir: directory };
    try {
      const migrated = await maintenance.migrateState({ ...choice, to, withoutLocal, onProgress });
      line.end();
      answerMigrated(context, migrated);
    } finally {
      line.end();
    }
    return 0;
  },
});

const reseal = defineCommand({
  name: "reseal",
  group: "administration",
  summary: "Change the key that seals the secrets in PostgreSQL; the server must be stopped",
  details: [
    "The new key is TORUS_KEY or storage.key_file, the one in use storage.previous_key_file. With the state in the",
    "data directory no command is needed: a start with storage.previous_key_file changes the key.",
  ],
  options: settingsOptions,
  examples: [
    [
      "TORUS_STORAGE_PREVIOUS_KEY_FILE=old.key torus reseal --config torus.yml",
      "all secrets at once, or none of them",
    ],
  ],
  async run(context, { options: { config: file, "data-dir": directory } }) {
    const { keyId, rows } = await (await context.openMaintenance()).reseal({
      config: file,
      dataDir: directory,
    });
    answerDone(
      context,
      { key: keyId, rows },
      `rows sealed with the key ${keyId}: ${formatCount(rows)}; next: start the server without storage.previous_key_file`,
    );
    return 0;
  },
});

const check = defineCommand({
  name: "check",
  group: "administration",
  summary: "Read all points of local buckets and list damaged ones; exit code 1 if there are any",
  details: [
    "Each block of points, and each record of a journal, has a checksum. A server may run meanwhile; buckets have the " +
      "names of their files then.",
  ],
  options: settingsOptions,
  examples: [["torus check --config torus.yml", "after a fault of the disk, or before a restore"]],
  async run(context, { options: { config: file, "data-dir": directory } }) {
    const checked = (await context.openMaintenance()).checkBuckets({ config: file, dataDir: directory });
    answerTable(context, checked, {
      columns: [
        { title: "BUCKET", value: ({ bucket }) => bucket },
        {
          title: "BLOCKS",
          align: "right",
          value: ({ blocks }) => formatCount(blocks),
          raw: ({ blocks }) => blocks,
        },
        { title: "IN JOURNALS", align: "right", value: ({ pending }) => formatCount(pending) },
        { title: "UNCHECKED", align: "right", value: ({ unchecked }) => formatCount(unchecked) },
        { title: "DAMAGE", value: ({ damage }) => damage.join("; ") || "-" },
      ],
      name: ({ bucket }) => bucket,
      empty: "no files of buckets",
    });
    return checked.some(({ damage }) => damage.length > 0) ? 1 : 0;
  },
});

export const stateCommands = [migrateState, reseal, check];
