// Work on a state that no server uses, by the settings of the server; loaded only by commands that need it.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bucketKinds } from "../buckets/index.ts";
import type { Maintenance, MigratedState, MigrationOptions, SettingsChoice } from "../cli/command/command.ts";
import { invalid } from "../core/errors.ts";
import { substituteEnv } from "../core/input/environment.ts";
import { readSettings, type ServerSettings } from "../settings/load.ts";
import { translate } from "../store/postgres/errors.ts";
import { resealPostgres } from "../store/postgres/reseal.ts";
import { requireKey } from "../store/secrets/seal-key.ts";
import { transferToDirectory, transferToPostgres } from "../store/transfer/transfer.ts";
import { checkBuckets } from "./check-buckets.ts";
import { secretsOf } from "./security.ts";

type Env = Readonly<Record<string, string | undefined>>;

const NAME_IT = "name the one to check with --data-dir, or the settings of its server with --config";
const URL_VARIABLE = "TORUS_STORAGE_URL";
const isAddress = (text: string) => /^postgres(ql)?:\/\//.test(text);
/** Kinds that keep their points in files of the data directory. */
const fileKinds = Object.entries(bucketKinds)
  .filter(([, kind]) => kind.takeSnapshot)
  .map(([name]) => name);

/** @param env environment of the process */
export function createMaintenance(env: Env): Maintenance {
  return {
    migrateState: (options) => sayCauses(() => migrateState(options, env)),
    reseal: (choice) => sayCauses(() => reseal(choice, env)),
    checkBuckets: (choice) => checkBuckets(requireState(read(choice, env))),
  };
}

/** Errors of the database hold rows; only their causes leave. */
async function sayCauses<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
}

async function migrateState(options: MigrationOptions, env: Env): Promise<MigratedState> {
  const { to, withoutLocal, onProgress } = options;
  if (to?.includes("://") && !isAddress(to))
    throw invalid(
      "--to",
      "must be a directory, or an address as in postgres://user:password@host:5432/database",
    );
  const directory = to !== undefined && !isAddress(to) ? resolve(to) : undefined;
  const { settings, postgres } = readTarget(options, directory === undefined ? to : undefined, env);
  const { dataDir, security } = settings;
  const shared = { postgres, sealing: security.sealing, onProgress, now: Date.now() };
  if (directory === undefined) {
    const kinds = withoutLocal ? [] : fileKinds;
    return {
      ...(await transferToPostgres({ ...shared, dir: dataDir, fileKinds: kinds })),
      to: "database",
    };
  }
  // In the data directory of the server the files are in place.
  const kinds = withoutLocal || directory === resolve(dataDir) ? [] : fileKinds;
  return {
    ...(await transferToDirectory({ ...shared, dir: directory, fileKinds: kinds })),
    to: "directory",
  };
}

interface Target {
  readonly settings: ServerSettings;
  readonly postgres: { readonly url: string };
}

/** @param address in place of that of the settings, perhaps with `${NAME}` in it */
function readTarget(choice: SettingsChoice, address: string | undefined, env: Env): Target {
  if (address === undefined) return requirePostgres(read(choice, env), "--to");
  const url = substituteEnv({ "--to": address }, env)["--to"];
  return requirePostgres(read(choice, { ...env, [URL_VARIABLE]: url }), "--to");
}

function requirePostgres(settings: ServerSettings, path: string): Target {
  const { postgres } = settings;
  if (postgres) return { settings, postgres };
  throw invalid(
    path,
    "needs a database: set storage.url in the settings, as in postgres://user:password@host:5432/database",
  );
}

/** A directory without a state has nothing damaged: that would be said of a mistyped one. @returns the data directory */
function requireState({ dataDir, postgres }: ServerSettings): string {
  const isThere = (name: string) => existsSync(join(dataDir, name));
  if (!existsSync(dataDir)) throw invalid(dataDir, `does not exist: ${NAME_IT}`);
  if (!postgres && !isThere("torus.db") && !isThere("buckets"))
    throw invalid(dataDir, `is no data directory of a server: ${NAME_IT}`);
  return dataDir;
}

async function reseal(choice: SettingsChoice, env: Env) {
  const { settings, postgres } = requirePostgres(read(choice, env), "storage.url");
  const { key, file, previousFile } = settings.security.sealing;
  if (previousFile === undefined)
    throw invalid("storage.previous_key_file", "is required: the file with the key that is in use");
  return resealPostgres({
    postgres,
    key: key ?? requireKey(file!),
    previous: requireKey(previousFile),
    secretsOf,
  });
}

function read({ config, dataDir }: SettingsChoice, env: Env): ServerSettings {
  const argv = [
    ...(config === undefined ? [] : ["--config", config]),
    ...(dataDir === undefined ? [] : ["--data-dir", dataDir]),
  ];
  return readSettings({ argv, env, readFile: (path) => readFileSync(path, "utf8") }).settings;
}
