// Reads the server settings: file, then environment, then flags; checks them and makes them ready for use.
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Entry, readDocument } from "../core/apply/document.ts";
import { invalid } from "../core/errors.ts";
import { check, invalidFields } from "../core/input/schema.ts";
import { readBoolean } from "../core/input/value.ts";
import { substituteEnv } from "../core/text/environment.ts";
import { checkDefinitions, type JobDefinition } from "../core/time/scheduled-plan.ts";
import { parseDuration } from "../core/time/time.ts";
import { checkTimezone } from "../core/time/timezone.ts";
import type { LogFormat, LogLevel } from "../telemetry/log.ts";
import { type CommandLine, parseCommandLine } from "./flags.ts";
import { type FileSources, type HookOptions, readHookOptions } from "./hooks.ts";
import { listSettings } from "./list.ts";
import { type FixedSettings, listFixed } from "./reload.ts";
import { Settings } from "./schema.ts";
import { readSecurity, type SecurityOptions } from "./security.ts";
import { findDataDir, parseListen, readSpan } from "./values.ts";
import { expandKeys, keepUnknown, parseYaml, setValue } from "./yaml.ts";

/** Settings as the server uses them: complete, spans in ms. */
export interface ServerSettings {
  readonly listen: { readonly host: string; readonly port: number };
  readonly workers: number | "auto";
  readonly timezone: string;
  /** Without a slash at its end; absent where none is set. */
  readonly externalUrl?: string;
  readonly jobs: {
    readonly ttlMs: number;
    readonly maxWaiting: number;
    readonly maxFinished: number;
    /** Most bytes of one kept result, and of all. */
    readonly resultBytes: number;
    readonly resultsBytes: number;
  };
  /** Of each model, the newest ones. */
  readonly versionsKept: number;
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
  /** Folder whose files buckets may read. */
  readonly dataRoot?: string;
  readonly training: { readonly epochs?: number; readonly steps: number; readonly batchSize: number };
  readonly inference: { readonly samples: number; readonly iterations: number };
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly clusterName: string;
  readonly nodeName: string;
  /** Buckets, templates, models and their hooks that are defined at start; not checked yet. */
  readonly defined: readonly Entry[];
  /** Checked, with `{{model_name}}` still in them. */
  readonly scheduledJobs: readonly JobDefinition[];
  readonly hooks: HookOptions;
  /** False: neither live detection, nor deliveries, nor scheduled jobs. */
  readonly live: boolean;
  readonly security: SecurityOptions;
  /** Paths of settings that old files hold and that do nothing here. */
  readonly ignored: readonly string[];
}

export interface SettingsSources extends FileSources {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** Whether the log goes to a terminal: it is text then, unless a setting says otherwise. */
  readonly isTty?: boolean;
}

/** What the command line asks for. */
export interface Command {
  readonly action: "check" | "serve";
  readonly settings: ServerSettings;
  /** What only a restart puts in force. */
  readonly fixed: FixedSettings;
}

/**
 * Reads what to do and the settings for it.
 * @throws TorusError `invalid` with the path of the key (or the flag, or the variable) and the rule
 */
export function readSettings({ argv, isTty, ...sources }: SettingsSources): Command {
  const { env } = sources;
  const line = parseCommandLine(argv);
  const file = line.config ?? env.TORUS_CONFIG;
  const written = file ? readSettingsFile(file, sources) : {};
  applyOverrides(written, line, env);
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

/** Environment, then flags; each value is checked here so that the message names where it came from. */
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

/** Text of a variable, a flag or a quoted YAML value, as the type its setting has. */
function coerce(schema: TSchema, text: string): unknown {
  const members: TSchema[] = schema.anyOf ?? [schema];
  const word = text.trim();
  if (members.some((member) => member.type === "integer") && /^\d+$/.test(word)) return Number(word);
  if (schema.type !== "boolean") return text;
  // YAML 1.1 also has on and off, which requests of clients do not.
  return (
    readBoolean(word) ??
    new Map([
      ["on", true],
      ["off", false],
    ]).get(word.toLowerCase()) ??
    text
  );
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
    ...(server.external_url && { externalUrl: server.external_url.replace(/\/+$/, "") }),
    jobs: {
      ttlMs: parseDuration(server.jobs_max_ttl, "server.jobs_max_ttl"),
      maxWaiting: limits.jobs_max_waiting,
      maxFinished: limits.jobs_max_finished,
      resultBytes: limits.job_result_bytes,
      resultsBytes: limits.job_results_bytes,
    },
    versionsKept: server.versions_kept,
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
    defined: readDefined(settings),
    scheduledJobs: settings.scheduled_jobs ?? [],
    ignored: listSettings({ legacy: true })
      .map(({ path }) => path)
      .filter((path) => valueAt(settings, path) !== undefined),
  };
}

/** @throws TorusError `invalid` with the place in the file */
function readDefined(settings: Settings): Entry[] {
  const { buckets = [], datasources = [], templates = [], models = [], hooks } = settings;
  const { entries, works, mistakes } = readDocument({
    buckets: [...buckets, ...datasources],
    templates,
    models,
    hooks: { global: hooks.global ?? [] },
  });
  if (mistakes.length > 0) throw invalidFields(mistakes);
  const [work] = works;
  if (work)
    throw invalid(
      `models.${models.findIndex(({ name }) => name === work.model)}.${work.train ? "train" : "live"}`,
      "is for torus apply: a server that starts trains and watches nothing new",
    );
  return entries;
}
