// Loads the server settings: file, then environment, then flags.
import { createHash } from "node:crypto";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Entry, readDocument } from "../core/apply/document.ts";
import { invalid } from "../core/errors.ts";
import { checkDatabaseAddress } from "../core/input/database-address.ts";
import { substituteEnv } from "../core/input/environment.ts";
import { check, invalidFields } from "../core/input/schema.ts";
import { readBoolean } from "../core/input/value.ts";
import { checkDefinitions } from "../core/time/scheduled-plan.ts";
import { parseDuration } from "../core/time/time.ts";
import { checkTimezone } from "../core/time/timezone.ts";
import type { LogFormat, LogLevel } from "../telemetry/log.ts";
import { type CommandLine, parseCommandLine } from "./flags.ts";
import { type FileSources, readHookOptions } from "./hooks.ts";
import { type FixedSettings, listFixed } from "./reload.ts";
import { listSettings, Settings } from "./schema.ts";
import { readSecurity } from "./security.ts";
import { findDataDir, parseListen, readSpan } from "./values.ts";
import { listMisspelt } from "./variables.ts";
import { expandKeys, keepUnknown, parseYaml, setValue } from "./yaml.ts";

/** Words of YAML 1.1, beside those of the API. */
const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["off", false],
]);

const WAITING = "server.limits.jobs_max_waiting";
/** Of all nodes: trainings of a night. */
const SHARED_WAITING = 100_000;

interface SettingsSources extends FileSources {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** Whether the log goes to a terminal; its default format is text then. */
  readonly isTty?: boolean;
}

/** Parsed command line with the effective settings. */
export interface Command {
  readonly action: "check" | "serve";
  readonly settings: ServerSettings;
  /** Settings that need a restart to take effect. */
  readonly fixed: FixedSettings;
}

/**
 * Reads the command line and the settings.
 * @throws TorusError `invalid` naming the key, the flag or the variable, and the rule
 */
export function readSettings({ argv, isTty, ...sources }: SettingsSources): Command {
  const { env } = sources;
  const line = parseCommandLine(argv);
  const file = line.config ?? env.TORUS_CONFIG;
  const written = file ? readSettingsFile(file, sources) : {};
  applyOverrides(written, line, env);
  if (valueAt(written, "storage.url") && valueAt(written, WAITING) === undefined)
    setValue(written, WAITING.split("."), SHARED_WAITING);
  if (isTty && valueAt(written, "log.format") === undefined) setValue(written, ["log", "format"], "text");
  const checked = check(Settings, Value.Default(Settings, written));
  const settings = finish(checked, line, { ...sources, file });
  const fixed = listFixed((path) => valueAt(checked, path), settings.security.tls);
  return { action: line.switches.has("check-config") ? "check" : "serve", settings, fixed };
}

function readSettingsFile(
  path: string,
  { env, readFile }: Pick<SettingsSources, "env" | "readFile">,
): Record<string, unknown> {
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    const reason = (error as { code?: unknown }).code === "ENOENT" ? "does not exist" : "cannot be read";
    throw invalid(path, reason);
  }
  const tree = substituteEnv(parseYaml(text, path), env);
  const written = expandKeys(tree);
  keepUnknown(Settings, tree, written);
  for (const { path: key, schema } of listSettings()) {
    const value = valueAt(written, key);
    if (typeof value === "string") setValue(written, key.split("."), coerce(schema, value));
  }
  return written;
}

function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Applies the environment, then flags; values are checked here so that messages name their source. */
function applyOverrides(
  written: Record<string, unknown>,
  line: CommandLine,
  env: SettingsSources["env"],
): void {
  for (const { path, schema, variable } of listSettings()) {
    const given = [
      { source: variable, text: env[variable] },
      { source: line.settings.get(path)?.flag ?? "", text: line.settings.get(path)?.text },
    ];
    for (const { source, text } of given) {
      if (text === undefined) continue;
      const value = coerce(schema, text);
      if (!Value.Check(schema, value)) throw invalid(source, schema.rule ?? `must be a ${schema.type}`);
      setValue(written, path.split("."), value);
    }
  }
}

/** Converts the text of a variable, a flag or a quoted YAML value to the type of its setting. */
function coerce(schema: TSchema, text: string): unknown {
  const members: TSchema[] = schema.anyOf ?? [schema];
  const word = text.trim();
  if (members.some((member) => member.type === "integer") && /^\d+$/.test(word)) return Number(word);
  if (schema.type !== "boolean") return text;
  return booleanWords.get(word.toLowerCase()) ?? readBoolean(word) ?? text;
}

/** Settings as the server uses them: complete, durations in ms; those that are not set are absent. */
export type ServerSettings = Readonly<ReturnType<typeof finish>>;

function finish(
  settings: Settings,
  { switches }: CommandLine,
  { file, ...sources }: FileSources & { readonly file: string | undefined },
) {
  const { server, storage, training, inference, cluster } = settings;
  const hooks = readHookOptions(settings.hooks, file, sources);
  const security = readSecurity(settings, switches.has("insecure"), sources);
  checkTimezone(server.timezone, "server.timezone");
  if (storage.url) checkDatabaseAddress(storage.url);
  checkDefinitions(settings.scheduled_jobs ?? [], "scheduled_jobs");
  return {
    listen: parseListen(server.listen),
    workers: server.workers,
    timezone: server.timezone,
    ui: server.ui,
    judgementLinks: server.judgement_links,
    ...(server.external_url && { externalUrl: server.external_url.replace(/\/+$/, "") }),
    ...(server.github_secret && { githubSecret: server.github_secret }),
    ...limitsOf(server),
    dataDir: findDataDir(storage.path, sources.env),
    ...(storage.url && { postgres: { url: storage.url, size: storage.pool } }),
    ...(storage.data_root && { dataRoot: storage.data_root }),
    training: {
      steps: training.steps,
      batchSize: training.batch_size,
      ...(training.epochs !== undefined && { epochs: training.epochs }),
    },
    inference: { samples: inference.samples, iterations: inference.iterations },
    logLevel: (settings.debug ? "debug" : settings.log.level) as LogLevel,
    logFormat: settings.log.format as LogFormat,
    clusterName: cluster.name,
    nodeName: settings.node.name,
    cluster: { leaseMs: readSpan(cluster.lease, "cluster.lease", { min: 2, max: 60 }), work: cluster.work },
    settingsHash: digestOf(settings),
    defined: readDefined(settings),
    scheduledJobs: settings.scheduled_jobs ?? [],
    hooks,
    live: !switches.has("no-live"),
    security,
    ignored: listIgnored(settings),
    misspelt: listMisspelt(
      sources.env,
      listSettings().map(({ variable }) => variable),
    ),
  };
}

/** Paths of settings without effect. */
function listIgnored(settings: Settings): string[] {
  const paths = listSettings({ legacy: true }).map(({ path }) => path);
  return paths.filter((path) => valueAt(settings, path) !== undefined);
}

/** Of jobs, of requests, and of what is kept. */
function limitsOf({ limits, ...server }: Settings["server"]) {
  return {
    jobs: {
      ttlMs: parseDuration(server.jobs_max_ttl, "server.jobs_max_ttl"),
      maxWaiting: limits.jobs_max_waiting,
      maxFinished: limits.jobs_max_finished,
      resultBytes: limits.job_result_bytes,
      resultsBytes: limits.job_results_bytes,
    },
    limits: {
      bodyBytes: limits.body_bytes,
      writeBytes: limits.write_bytes,
      bodyDepth: limits.body_depth,
      bodiesInFlightBytes: limits.bodies_in_flight_bytes,
      deadlineMs: readSpan(limits.deadline, "server.limits.deadline", { min: 1, max: 86_400 }),
      idleMs: readSpan(limits.idle, "server.limits.idle", { min: 1, max: 255 }),
      stopMs: readSpan(limits.stop, "server.limits.stop", { min: 0, max: 3600 }),
    },
    historyMs: parseDuration(server.history, "server.history"),
    binMs: parseDuration(server.bin, "server.bin"),
    sourceGraceMs: parseDuration(server.source_grace, "server.source_grace"),
    versionsKept: server.versions_kept,
    bucketSeries: limits.bucket_series,
    headPoints: limits.head_points,
  };
}

/** Without what differs from node to node. */
function digestOf({ node: _node, storage, cluster, server, ...settings }: Settings): string {
  const { listen: _listen, ...shared } = server;
  const { path: _path, ...state } = storage;
  const text = JSON.stringify([cluster.name, cluster.lease, state, shared, settings]);
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** @throws TorusError `invalid` with the place in the file */
function readDefined(settings: Settings): Entry[] {
  const { buckets = [], datasources = [], calendars = [], templates = [], models = [], hooks } = settings;
  const { entries, works, mistakes } = readDocument({
    buckets: [...buckets, ...datasources],
    calendars,
    templates,
    models,
    hooks: { global: hooks.global ?? [] },
  });
  if (mistakes.length > 0) throw invalidFields(mistakes);
  const [work] = works;
  if (work)
    throw invalid(
      `models.${models.findIndex(({ name }) => name === work.model)}.${work.train ? "train" : "live"}`,
      "is for torus apply: a server start begins no training and no live detection",
    );
  return entries;
}
