// Schema of the server settings; help, environment variables and reference tables derive from it.
import { type Static, type TObject, type TSchema, Type, TypeGuard } from "@sinclair/typebox";
import { oneOfWords } from "../core/input/words.ts";
import { logFormats, logLevels } from "../telemetry/log.ts";
import { count, legacy, path, section } from "./schema-parts.ts";
import { server } from "./server.ts";

const bucketsRule = "must be a list of bucket settings";
const bucket = Type.Record(Type.String(), Type.Unknown());

const hooks = section(
  {
    webhook: section(
      {
        private_addresses: Type.Boolean({
          default: false,
          description:
            "Whether `webhook`, `slack`, `teams`, `ntfy` and `mqtt`, and addresses of calendars, may reach this machine and private networks",
        }),
      },
      "Hooks whose address a client chooses",
    ),
    exec: section(
      {
        allow: Type.Array(Type.String({ pattern: "^/", rule: "must be an absolute path" }), {
          default: [],
          description: "Programs that `exec` hooks may run, by absolute path; none unless named here",
          rule: "must be a list of absolute paths",
        }),
      },
      "Hooks that run programs",
    ),
    mail: section(
      {
        config: Type.String({
          default: "",
          description:
            "File with the mail server (`smtp`); by default `plugins.d/mail.yml` beside the settings file",
          rule: "must be a path",
        }),
      },
      "Hooks that send mail",
    ),
    global: Type.Optional(
      Type.Array(bucket, {
        description: "Global hooks defined at start, as in `POST /hooks`; one that differs is replaced",
        rule: "must be a list of hooks",
      }),
    ),
  },
  "Hooks",
  { reload: true },
);

/** All settings of the server; sources are the file, the environment and flags. */
export const Settings = Type.Object(
  {
    server,
    storage: section(
      {
        path: Type.String({
          default: "",
          description: "Data directory; by default `$XDG_DATA_HOME/torus` or `~/.local/share/torus`",
          rule: "must be a path",
        }),
        url: Type.String({
          default: "",
          pattern: "^(postgres(ql)?://.+)?$",
          description:
            "PostgreSQL that holds the state in place of a file, as in `postgres://torus:PASSWORD@db:5432/torus?sslmode=verify-full`; the password may come from a variable. Of several servers, as in `host1:5432,host2:5432`, the primary is found",
          rule: "must be an address as in postgres://user:password@host:5432/database",
        }),
        pool: Type.Integer({
          default: 6,
          minimum: 1,
          maximum: 100,
          description: "Connections to `storage.url` for work; one more is for the lease of the node",
          rule: "must be a whole number from 1 to 100",
        }),
        data_root: path("Folder whose CSV files `csv` buckets may read; none by default"),
        key_file: path("File with the key that seals secrets; by default `torus.key` in the data directory"),
        previous_key_file: path(
          "File with the key before that: what is sealed with it is sealed anew at start",
        ),
      },
      "Where the state is",
    ),
    training: section(
      {
        epochs: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 100_000,
            description: "Passes over the data per training, in place of `training.steps`",
            rule: "must be a whole number from 1 to 100000",
          }),
        ),
        steps: count("Optimiser steps per training, whatever its length", 2000, 10_000_000),
        batch_size: count("Windows per optimiser step", 64, 65_536),
        num_cpus: legacy("CPUs per training"),
        num_gpus: legacy("GPUs per training"),
        nice: legacy("Priority of a training"),
        incremental_epochs: legacy("Passes of a continued training"),
      },
      "Defaults of trainings",
    ),
    inference: section(
      {
        samples: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          default: 16,
          description: "Latent samples per scored window; 0 = the latent mean, in one pass",
          rule: "must be a whole number from 0 to 10000",
        }),
        iterations: count("Rounds of imputation of the missing points of a window", 10, 1000),
        num_cpus: legacy("CPUs per prediction"),
        num_gpus: legacy("GPUs per prediction"),
      },
      "Defaults of predictions",
    ),
    hooks,
    log: section(
      {
        level: oneOfWords(logLevels, {
          default: "info",
          description: "Least severe level that is logged: debug, info, warn or error",
          rule: "must be one of debug, info, warn, error",
          reload: true,
        }),
        format: oneOfWords(logFormats, {
          default: "json",
          description:
            "One JSON object per line, or text for people: json or text; on a terminal text is the default",
          rule: "must be json or text",
        }),
      },
      "Logs, one line per event on standard output",
    ),
    debug: Type.Boolean({ default: false, description: "Same as `log.level: debug`", reload: true }),
    cluster: section(
      {
        name: Type.String({
          minLength: 1,
          default: "torus",
          description: "`cluster_name` of `/_nodes`; a database of `storage.url` belongs to one cluster",
        }),
        lease: Type.String({
          default: "5s",
          description:
            "How long a node that is silent keeps its models, with `storage.url`; then other nodes have them",
          rule: "must be a duration from 2s to 60s",
        }),
        work: Type.Array(
          Type.Union([Type.Literal("live"), Type.Literal("jobs")], { rule: "must be live or jobs" }),
          {
            default: ["live", "jobs"],
            uniqueItems: true,
            description:
              "What the node does beside answering requests, with `storage.url`: `live` detection with hooks and scheduled jobs, and `jobs` of all nodes",
            rule: "must be a list of live and jobs",
          },
        ),
      },
      "Nodes that share the state",
    ),
    node: section(
      {
        name: Type.String({ minLength: 1, default: "torus", description: "Node name of `/_nodes`" }),
        master: legacy("Role"),
        compute: legacy("Role"),
      },
      "Name of this server",
    ),
    buckets: Type.Optional(
      Type.Array(bucket, {
        description: "Buckets defined at start, as in `POST /buckets`; one that exists is replaced",
        rule: bucketsRule,
        reload: true,
      }),
    ),
    datasources: Type.Optional(
      Type.Array(bucket, { description: "Legacy name of `buckets`", rule: bucketsRule, reload: true }),
    ),
    calendars: Type.Optional(
      Type.Array(bucket, {
        description: "Calendars defined at start, as in `POST /calendars`; one that differs is replaced",
        rule: "must be a list of calendars",
        reload: true,
      }),
    ),
    templates: Type.Optional(
      Type.Array(bucket, {
        description: "Templates defined at start: `name` and `settings`; one that differs is replaced",
        rule: "must be a list of templates",
        reload: true,
      }),
    ),
    models: Type.Optional(
      Type.Array(bucket, {
        description:
          "Models defined at start, as in `POST /models`, each with its `hooks`; one that differs is changed and keeps its versions",
        rule: "must be a list of model settings",
        reload: true,
      }),
    ),
    scheduled_jobs: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description:
          "Scheduled jobs defined at start, as in `POST /scheduled_jobs`; `{{model_name}}` in one makes one per model",
        rule: "must be a list of scheduled jobs",
        reload: true,
      }),
    ),
    metrics: legacy("Anonymous usage reports"),
    license: legacy("Licence file"),
    logging: legacy("Log format and files"),
  },
  { additionalProperties: false, title: "settings" },
);

/** Settings as written in the file, with defaults filled in. */
export type Settings = Static<typeof Settings>;

interface Setting {
  /** Dotted path, as in `server.listen`. */
  readonly path: string;
  /** Name of its environment variable. */
  readonly variable: string;
  readonly schema: TSchema;
  /** Whether a reload applies it. */
  readonly isReloadable: boolean;
}

/** Settings with a value, in the order of the schema. @param legacy whether to list those without effect instead */
export function listSettings({ legacy = false } = {}): Setting[] {
  return listFrom(Settings, [], false).filter(({ schema }) => Boolean(schema.legacy) === legacy);
}

function listFrom(schema: TObject, parents: readonly string[], inherited: boolean): Setting[] {
  return Object.entries(schema.properties).flatMap(([key, member]) => {
    const steps = [...parents, key];
    const isReloadable = member.reload ?? inherited;
    if (TypeGuard.IsObject(member)) return listFrom(member, steps, isReloadable);
    const variable = `TORUS_${steps.join("_").toUpperCase()}`;
    return [{ path: steps.join("."), variable, schema: member, isReloadable }];
  });
}
