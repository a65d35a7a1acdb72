// Settings of Prometheus buckets, legacy names included, and the client options derived from them.
import { type Static, Type } from "@sinclair/typebox";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import { addressSchema, parseAddress } from "../../net/address.ts";
import type { ClientOptions } from "../../net/fetch.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import { textSetting } from "../shared/connection.ts";

export const PREDICTION_PREFIX = "torus_";

export const settings = Type.Object(
  {
    addr: addressSchema({
      description: "`host`, `host:port` (default port 9090) or `http(s)://host:port[/path]`",
      examples: ["localhost:9090"],
    }),
    user: textSetting("User name"),
    username: textSetting("Same as `user`"),
    password: textSetting("Password"),
    token: textSetting("Bearer token, in place of user and password"),
    tenant: Type.Optional(
      Type.String({
        pattern: "^[\\x21-\\x7e]{0,256}$",
        description: "Tenant, sent as `X-Scope-OrgID` (Mimir, Cortex, Thanos receivers)",
        rule: "must be at most 256 printable characters without spaces",
      }),
    ),
    prediction_prefix: Type.Optional(
      Type.String({
        pattern: "^(?:[a-zA-Z_:][a-zA-Z0-9_:]{0,63})?$",
        default: PREDICTION_PREFIX,
        description: "Start of the names of metrics that predictions are saved as; may be empty",
        rule: "must be letters, digits, _ and :, not beginning with a digit, at most 64 of them",
      }),
    ),
    ...tlsSettings,
    ssl_cert_path: textSetting("Legacy name of `ca_certs`"),
    timeout: Type.Optional(
      intervalSchema({ description: "Timeout of one request", default: "30s", examples: ["2m"] }),
    ),
  },
  { additionalProperties: false },
);
export type PrometheusSettings = Static<typeof settings>;

export const secrets: readonly string[] = ["user", "username", "password", "token", "client_key"];
export const destination: readonly string[] = ["addr", "ssl_cert_path", ...tlsDestination];

/** Options of the client. @throws TorusError `invalid` for a malformed address or timeout */
export function toClientOptions(own: PrometheusSettings): ClientOptions {
  const user = own.user || own.username;
  const authority = own.ca_certs || own.ssl_cert_path;
  return {
    software: "Prometheus",
    address: parseAddress(own.addr),
    defaultPort: 9090,
    tls: { ...own, ...(authority && { ca_certs: authority }) },
    authorization: own.token
      ? { scheme: "Bearer", token: own.token }
      : user
        ? { user, password: own.password ?? "" }
        : undefined,
    timeoutMs: own.timeout === undefined ? undefined : parseDuration(own.timeout, "timeout"),
  };
}
