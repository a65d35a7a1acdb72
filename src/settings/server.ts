// Schema of the settings under `server`: address, limits, tokens, certificate.

import { Type } from "@sinclair/typebox";
import { externalUrlForm, externalUrlRule } from "../core/access/external-url.ts";
import { ConfiguredTokens } from "../core/access/token.ts";
import { optional } from "../core/input/optional.ts";
import { durationSchema } from "../core/time/duration-schema.ts";
import { count, legacy, path, section } from "./schema-parts.ts";

const limits = section(
  {
    body_bytes: count("Largest request body, in bytes", 16 * 1024 * 1024, 2 ** 31 - 1),
    write_bytes: count(
      "Largest body of line protocol, remote write or OTLP, unpacked, in bytes",
      64 * 1024 * 1024,
      2 ** 31 - 1,
    ),
    bodies_in_flight_bytes: count(
      "Bodies of all requests under way, unpacked, in bytes; beyond it further ones are refused (503)",
      256 * 1024 * 1024,
      2 ** 40,
    ),
    bucket_series: count(
      "Series of a bucket beyond which points that Prometheus or OpenTelemetry push for new ones are refused",
      1_000_000,
    ),
    head_points: count(
      "Points of all local buckets in memory and in journals, before they become blocks; some 30 bytes each, a text counts " +
        "for as many as take its place",
      2_000_000,
      1_000_000_000,
    ),
    body_depth: count("Deepest nesting of a request body", 64, 10_000),
    jobs_max_waiting: count(
      "Waiting jobs beyond which new ones are refused (503); with `storage.url` 100 000 by default",
      1000,
    ),
    jobs_max_finished: count("Finished jobs kept", 10_000),
    job_result_bytes: count(
      "Largest result that is kept, in bytes of JSON; a job with a larger one fails",
      64 * 1024 * 1024,
    ),
    job_results_bytes: count(
      "All kept results together, in bytes of JSON; beyond, the oldest are dropped and their jobs stay",
      256 * 1024 * 1024,
      1_000_000_000_000,
    ),
    deadline: durationSchema({
      description: "Maximum wait of a request for its own job; then 504, and the job is canceled",
      default: "10m",
    }),
    idle: durationSchema({
      description: "A connection on which nothing is answered for this long is closed (1s to 255s)",
      default: "30s",
      reload: false,
    }),
    stop: durationSchema({ description: "Maximum wait for open requests when stopping", default: "10s" }),
  },
  "Limits that keep one client from hurting the others",
  { reload: true },
);

const auth = section(
  {
    required: Type.Boolean({
      default: false,
      description: "Needs a token even from this machine; without this, as soon as there is one",
    }),
    tokens: ConfiguredTokens,
  },
  "Who may use the service",
  { reload: true },
);

const tls = section(
  {
    cert: path(
      "PEM file with the certificate, and those that lead to its authority; with it the server speaks HTTPS",
    ),
    key: path("PEM file with the key of the certificate"),
    hsts: durationSchema({
      description:
        "How long browsers remember that the server speaks HTTPS (Strict-Transport-Security); 0 turns it off",
      default: "1d",
      reload: true,
    }),
    passphrase: optional.text("Opens the key, where it is encrypted"),
  },
  "The server's certificate",
);

/** Settings under `server`. */
export const server = section(
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
    jobs_max_ttl: durationSchema({
      description: "How long finished jobs are kept",
      default: "7d",
      reload: true,
    }),
    history: durationSchema({
      description:
        "How long the scores of live models are kept, with expected values and bands: 16 bytes per interval and feature; 0 keeps none",
      default: "90d",
      reload: true,
    }),
    bin: durationSchema({
      description:
        "How long deleted models, buckets, hooks, calendars, templates and schedules can be restored, with the points of `local` buckets; 0 deletes them for good",
      default: "7d",
      reload: true,
    }),
    source_grace: durationSchema({
      description:
        "How long all live reads of a bucket fail before the hooks of `source` are notified that it is down",
      default: "5m",
      reload: true,
    }),
    versions_kept: {
      ...count(
        "Versions kept of each model, the newest; the one that answers, and what unfinished jobs work with, stay besides",
        30,
      ),
      reload: true,
    },
    timezone: Type.String({ default: "UTC", description: "IANA time zone of times of day" }),
    external_url: Type.String({
      pattern: `^$|${externalUrlForm.source}`,
      default: "",
      description:
        "Address of this server for people, as in `https://torus.example.org`: hooks link to it; no links by default",
      rule: externalUrlRule,
      reload: true,
    }),
    judgement_links: Type.Boolean({
      default: true,
      description:
        "Links in notifications of anomalies, by which a receiver judges them or mutes them for 2 h without a token; they need `external_url`",
      reload: true,
    }),
    github_secret: Type.String({
      pattern: "^(|.{16,256})$",
      default: "",
      description:
        "Secret of webhooks of GitHub, with which they sign what they send to `/webhooks/github`; none are taken by default",
      rule: "must be a text of 16 to 256 characters, as `openssl rand -hex 32` makes one",
      reload: true,
    }),
    ui: Type.Boolean({ default: true, description: "The dashboard at `/ui`", reload: true }),
    auth,
    tls,
    cors: Type.Array(Type.String(), {
      default: [],
      description:
        "Origins whose pages may use the service from a browser, as in `https://host:3000`; none by default",
      rule: "must be a list of origins, as in https://host or http://host:3000",
      reload: true,
    }),
    allowed_hosts: Type.Array(Type.String(), {
      default: [],
      description:
        "Names by which a server without tokens may be called, beside `localhost` and the address it listens on, as in " +
        "`torus.example.org`; with tokens every name is answered",
      rule: "must be a list of host names without ports, as in torus.example.org",
      reload: true,
    }),
    trusted_proxies: Type.Array(Type.String(), {
      default: [],
      description:
        "Addresses and networks of reverse proxies, as in `10.0.0.0/8`: what they say in `X-Forwarded-For` is believed, so that " +
        "wrong tokens count for the client that sent them; none by default",
      rule: "must be a list of IP addresses and networks, as in 192.0.2.1 or 10.0.0.0/8",
      reload: true,
    }),
    limits,
    maxtasksperchild: legacy("Tasks per worker process"),
    mse_rtol: legacy("Tolerance of an older score"),
    mq_bus: legacy("Address of a message bus"),
  },
  "The service on the network",
);
