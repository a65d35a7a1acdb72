// Loads the server settings: file, then environment, then flags.
import { createHash } from "node:crypto";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Entry, readDocument } from "../core/apply/document.ts";
import { invalid } from "../core/errors.ts";
import { substituteEnv } from "../core/input/environment.ts";
import { check, invalidFields } from "../core/input/schema.ts";
import { readBoolean } from "../core/input/value.ts";
import { checkDefinitions, type JobDefinition } from "../core/time/scheduled-plan.ts";
import { parseDuration } from "../core/time/time.ts";
import { checkTimezone } from "../core/time/timezone.ts";
import type { LogFormat, LogLevel } from "../telemetry/log.ts";
import { type CommandLine, parseCommandLine } from "./flags.ts";
import { type FileSources, type HookOptions, readHookOptions } from "./hooks.ts";
import { type FixedSettings, listFixed } from "./reload.ts";
import { listSettings, Settings } from "./schema.ts";
import { readSecurity, type SecurityOptions } from "./security.ts";
import { findDataDir, parseListen, readSpan } from "./values.ts";
import { expandKeys, keepUnknown, parseYaml, setValue } from "./yaml.ts";

/** Settings as the server uses them: complete, spans in ms. */
export interface ServerSettings {
  readonly listen: { readonly host: string; readonly port: number };
  readonly workers: number | "auto";
  readonly timezone: string;
  /** Whether the dashboard is served. */
  readonly ui: boolean;
  /** Without a trailing slash; absent: not set. */
  readonly externalUrl?: string;
  readonly jobs: {
    readonly ttlMs: number;
    readonly maxWaiting: number;
    readonly maxFinished: number;
    /** Size limits of one stored result, and of all together. */
    readonly resultBytes: number;
    readonly resultsBytes: number;
  };
  /** How long recorded scores are kept, ms; 0: none are. */
  readonly historyMs: number;
  /** See `server.source_grace`, ms. */
  readonly sourceGraceMs: number;
  /** Number of versions kept per model. */
  readonly versionsKept: number;
  /** Most series of a bucket that is pushed to. */
  readonly bucketSeries: number;
  readonly limits: {
    readonly bodyBytes: number;
    readonly writeBytes: number;
    readonly bodyDepth: number;
    readonly bodiesInFlightBytes: number;
    readonly deadlineMs: number;
    readonly idleMs: number;
    readonly stopMs: number;
  };
  readonly dataDir: string;
  /** The database that holds the state; absent: a file in the data directory. */
  readonly postgres?: { readonly url: string; readonly size: number };
  /** Directory whose files buckets may read. */
  readonly dataRoot?: string;
  readonly training: { readonly epochs?: number; readonly steps: number; readonly batchSize: number };
  readonly inference: { readonly samples: number; readonly iterations: number };
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly clusterName: string;
  readonly nodeName: string;
  /** For a state that nodes share. */
  readonly cluster: { readonly leaseMs: number; readonly work: readonly ("live" | "jobs")[] };
  /** Digest of the settings that should be the same on all nodes. */
  readonly settingsHash: string;
  /** Buckets, calendars, templates, models and hooks to define at start; not checked yet. */
  readonly defined: readonly Entry[];
  /** Checked; `{{model_name}}` is not filled in yet. */
  readonly scheduledJobs: readonly JobDefinition[];
  readonly hooks: HookOptions;
  /** Whether live detection, deliveries and scheduled jobs run. */
  readonly live: boolean;
  readonly security: SecurityOptions;
  /** Paths of settings without effect. */
  readonly ignored: readonly string[];
}

/** Words of YAML 1.1, beside those of the API. */
const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["off", false],
]);

const WAITING = "server.limits.jobs_max_waiting";
/** Of all nodes: trainings of a night. */
const SHARED_WAITING = 100_000;

export interface SettingsSources extends FileSources {
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
  const settings = check(Settings, Value.Default(Settings, written));
  const hooks = readHookOptions(settings.hooks, file, sources);
  const security = readSecurity(settings, line.switches.has("insecure"), sources);
  const live = !line.switches.has("no-live");
  const ready = { ...finish(settings, env), hooks, security, live };
  const values = listSettings().map(({ path }) => ({ path, value: valueAt(settings, path) }));
  const fixed = listFixed(values, security.tls);
  return { action: line.switches.has("check-config") ? "check" : "serve", settings: ready, fixed };
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

function finish(
  settings: Settings,
  env: SettingsSources["env"],
): Omit<ServerSettings, "hooks" | "security" | "live"> {
  const { server, storage, training, inference } = settings;
  const { limits } = server;
  checkTimezone(server.timezone, "server.timezone");
  checkDefinitions(settings.scheduled_jobs ?? [], "scheduled_jobs");
  return {
    listen: parseListen(server.listen),
    workers: server.workers,
    timezone: server.timezone,
    ui: server.ui,
    ...(server.external_url && { externalUrl: server.external_url.replace(/\/+$/, "") }),
    jobs: {
      ttlMs: parseDuration(server.jobs_max_ttl, "server.jobs_max_ttl"),
      maxWaiting: limits.jobs_max_waiting,
      maxFinished: limits.jobs_max_finished,
      resultBytes: limits.job_result_bytes,
      resultsBytes: limits.job_results_bytes,
    },
    historyMs: parseDuration(server.history, "server.history"),
    sourceGraceMs: parseDuration(server.source_grace, "server.source_grace"),
    versionsKept: server.versions_kept,
    bucketSeries: limits.bucket_series,
    limits: {
      bodyBytes: limits.body_bytes,
      writeBytes: limits.write_bytes,
      bodyDepth: limits.body_depth,
      bodiesInFlightBytes: limits.bodies_in_flight_bytes,
      deadlineMs: readSpan(limits.deadline, "server.limits.deadline", { min: 1, max: 86_400 }),
      idleMs: readSpan(limits.idle, "server.limits.idle", { min: 1, max: 255 }),
      stopMs: readSpan(limits.stop, "server.limits.stop", { min: 0, max: 3600 }),
    },
    dataDir: findDataDir(storage.path, env),
    ...(storage.url && { postgres: { url: storage.url, size: storage.pool } }),
    ...(storage.data_root && { dataRoot: storage.data_root }),
    training: {
      steps: training.steps,
      batchSize: training.batch_size,
      ...(training.epochs !== undefined && { epochs: training.epochs }),
    },
    inference: { samples: inference.samples, iterations: inference.iterations },
    logLevel: settings.debug ? "debug" : settings.log.level,
    logFormat: settings.log.format,
    clusterName: settings.cluster.name,
    nodeName: settings.node.name,
    cluster: {
      leaseMs: readSpan(settings.cluster.lease, "cluster.lease", { min: 2, max: 60 }),
      work: settings.cluster.work,
    },
    settingsHash: digestOf(settings),
    defined: readDefined(settings),
    scheduledJobs: settings.scheduled_jobs ?? [],
    ignored: listSettings({ legacy: true })
      .map(({ path }) => path)
      .filter((path) => valueAt(settings, path) !== undefined),
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
