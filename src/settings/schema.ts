// Schema of the server settings: a default and a description for each; help and the README table come from here.
import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { durationSchema } from "../core/schema.ts";
import { logLevels } from "../log.ts";

const section = <P extends TProperties>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, description, default: {} });
const bucketsRule = "must be a list of bucket settings";
const bucket = Type.Record(Type.String(), Type.Unknown());
const count = (description: string, value: number, maximum = 1_000_000_000) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: value,
    description,
    rule: `must be a whole number from 1 to ${maximum}`,
  });
const legacy = (description: string) =>
  Type.Optional(Type.Unknown({ description: `${description}; accepted, without effect`, legacy: true }));

const limits = section(
  {
    body_bytes: count("Largest request body, in bytes", 16 * 1024 * 1024, 2 ** 31 - 1),
    body_depth: count("Deepest nesting of a request body", 64, 10_000),
    jobs_max_waiting: count("Waiting jobs beyond which new ones are refused (503)", 1000),
    jobs_max_finished: count("Finished jobs kept", 10_000),
    deadline: durationSchema({
      description: "Longest wait of a request for its own job; then 504, and the job is canceled",
      default: "10m",
    }),
    idle: durationSchema({
      description: "A connection on which nothing is answered for this long is closed (1s to 255s)",
      default: "30s",
    }),
    stop: durationSchema({ description: "Longest wait for open requests when stopping", default: "10s" }),
  },
  "Limits that keep one client from hurting the others",
);

const server = section(
  {
    listen: Type.String({
      pattern: "^(\\[[0-9a-fA-F:.]+\\]|[^\\s:\\[\\]]*):[0-9]{1,5}$",
      default: "localhost:8077",
      description: "Address and port to listen on; port 0 takes a free one",
      rule: "must be host:port, as in localhost:8077",
    }),
    workers: Type.Union([Type.Integer({ minimum: 1, maximum: 256 }), Type.Literal("auto")], {
      default: "auto",
      description: "Compute workers; auto = one per core",
      rule: "must be a whole number from 1 to 256, or auto",
    }),
    jobs_max_ttl: durationSchema({ description: "How long finished jobs are kept", default: "7d" }),
    timezone: Type.String({ default: "UTC", description: "IANA time zone of times of day" }),
    limits,
    maxtasksperchild: legacy("Tasks per worker process"),
    mse_rtol: legacy("Tolerance of an older score"),
    mq_bus: legacy("Address of a message bus"),
  },
  "The service on the network",
);

const hooks = section(
  {
    webhook: section(
      {
        private_addresses: Type.Boolean({
          default: false,
          description: "Whether `webhook` and `slack` may reach this machine and private networks",
        }),
      },
      "Hooks whose address a client chooses",
    ),
    exec: section(
      {
        allow: Type.Array(Type.String({ pattern: "^/" }), {
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
  },
  "Hooks",
);

/** Everything the server can be told, from a file, the environment or flags. */
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
      },
      "Where the state lives",
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
        steps: count("Optimiser steps per training, whatever its length", 4000, 10_000_000),
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
          default: 64,
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
        level: Type.Union(
          logLevels.map((level) => Type.Literal(level)),
          {
            default: "info",
            description: "Least severe level that is logged: debug, info, warn or error",
            rule: "must be one of debug, info, warn, error",
          },
        ),
      },
      "Logs, one JSON object per line on standard output",
    ),
    debug: Type.Boolean({ default: false, description: "Same as `log.level: debug`" }),
    cluster: section(
      { name: Type.String({ minLength: 1, default: "torus", description: "`cluster_name` of `/_nodes`" }) },
      "Name of the cluster",
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
      }),
    ),
    datasources: Type.Optional(
      Type.Array(bucket, { description: "Legacy name of `buckets`", rule: bucketsRule }),
    ),
    scheduled_jobs: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description:
          "Scheduled jobs defined at start, as in `POST /scheduled_jobs`; `{{model_name}}` in one makes one per model",
        rule: "must be a list of scheduled jobs",
      }),
    ),
    metrics: legacy("Anonymous usage reports"),
    license: legacy("Licence file"),
    logging: legacy("Log format and files"),
  },
  { additionalProperties: false, title: "settings" },
);

/** Settings as they are written, with every default in place. */
export type Settings = Static<typeof Settings>;
