// Server settings: one schema with a default and a description for each, and the rules a schema cannot say.
import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { invalid } from "./core/errors.ts";
import { check, durationSchema } from "./core/schema.ts";
import { parseDuration } from "./core/time.ts";

const section = (properties: Record<string, TSchema>, description: string) =>
  Type.Object(properties, { additionalProperties: false, description, default: {} });
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
  },
  "The service on the network",
);

/** Everything the server can be told, from a file, the environment or flags. */
export const Settings = Type.Object(
  {
    server,
    storage: section(
      {
        path: Type.String({
          minLength: 1,
          default: "",
          description: "Data directory; by default `$XDG_DATA_HOME/torus` or `~/.local/share/torus`",
          rule: "must be a path",
        }),
      },
      "Where the state lives",
    ),
    training: section(
      {
        epochs: count("Passes over the data per training", 100, 100_000),
        batch_size: count("Windows per optimiser step", 256, 65_536),
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
          default: 0,
          description: "Latent samples per window; 0 = the latent mean, in one pass",
          rule: "must be a whole number from 0 to 10000",
        }),
        iterations: count("Rounds of imputation of the missing points of a window", 10, 1000),
        num_cpus: legacy("CPUs per prediction"),
        num_gpus: legacy("GPUs per prediction"),
      },
      "Defaults of predictions",
    ),
    log: section(
      {
        level: Type.Union(["debug", "info", "warn", "error"].map((level) => Type.Literal(level)) as never, {
          default: "info",
          description: "Least severe level that is logged: debug, info, warn or error",
          rule: "must be one of debug, info, warn, error",
        }),
      },
      "Logs, one JSON object per line on standard error",
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
    buckets: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      default: [],
      description: "Buckets defined at start, as in `POST /buckets`; one that exists is replaced",
      rule: "must be a list of bucket settings",
    }),
    datasources: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: "Legacy name of `buckets`",
        rule: "must be a list of bucket settings",
      }),
    ),
    metrics: legacy("Anonymous usage reports"),
    scheduled_jobs: legacy("Scheduled jobs"),
  },
  { additionalProperties: false, title: "settings" },
);

type Shape = Static<typeof Settings>;

/** Settings as the server uses them: complete, durations in ms. */
export interface ServerSettings {
  readonly listen: { readonly host: string; readonly port: number };
  readonly workers: number | "auto";
  readonly timezone: string;
  readonly jobs: { readonly ttlMs: number; readonly maxWaiting: number; readonly maxFinished: number };
  readonly limits: {
    readonly bodyBytes: number;
    readonly bodyDepth: number;
    readonly deadlineMs: number;
    readonly idleMs: number;
    readonly stopMs: number;
  };
  readonly dataDir: string;
  readonly training: { readonly epochs: number; readonly batchSize: number };
  readonly inference: { readonly samples: number; readonly iterations: number };
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly clusterName: string;
  readonly nodeName: string;
  readonly buckets: readonly Readonly<Record<string, unknown>>[];
  /** Paths of settings that were accepted for the sake of old files and do nothing. */
  readonly ignored: readonly string[];
}
