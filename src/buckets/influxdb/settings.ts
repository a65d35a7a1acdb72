// Settings of InfluxDB buckets, legacy names included, and the client options derived from them.
import { type Static, Type } from "@sinclair/typebox";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import { addressSchema, parseAddress } from "../../net/address.ts";
import type { ClientOptions } from "../../net/fetch.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import { shortTextSetting } from "../shared/connection.ts";

const nameRule = "must be 1 to 256 characters without control characters";
const namePattern = "^[^\\u0000-\\u001f\\u007f]{1,256}$";
const InfluxName = (description: string) =>
  Type.String({ pattern: namePattern, description, rule: nameRule });

export const settings = Type.Object(
  {
    addr: addressSchema({
      description: "`host`, `host:port` (default port 8086) or `http(s)://host:port[/path]`",
      examples: ["localhost:8086"],
    }),
    database: InfluxName("Database; for InfluxDB 2 and 3 the one mapped to the bucket"),
    measurement: InfluxName("Measurement to write to and read from where a feature names none"),
    retention_policy: shortTextSetting("Retention policy; absent: the default one of the database"),
    create_database: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Create the database when points are written and it is missing",
      }),
    ),
    dbuser: shortTextSetting("User name"),
    dbuser_password: shortTextSetting("Password"),
    username: shortTextSetting("Same as `dbuser`"),
    password: shortTextSetting("Same as `dbuser_password`"),
    token: shortTextSetting("Token of InfluxDB 2 or 3, in place of user and password"),
    ...tlsSettings,
    timeout: Type.Optional(
      intervalSchema({ description: "Timeout of one request", default: "30s", examples: ["2m"] }),
    ),
    annotation_db: Type.Optional(
      Type.String({
        pattern: namePattern,
        default: "chronograf",
        description: "Database that annotations of anomalies are written to",
        rule: nameRule,
      }),
    ),
  },
  { additionalProperties: false },
);
export type InfluxSettings = Static<typeof settings>;

export const secrets: readonly string[] = [
  "dbuser",
  "dbuser_password",
  "username",
  "password",
  "token",
  "client_key",
];
export const destination: readonly string[] = ["addr", ...tlsDestination];

/** Options of the client. @throws TorusError `invalid` for a malformed address or timeout */
export function toClientOptions(own: InfluxSettings): ClientOptions {
  const user = own.dbuser || own.username;
  return {
    software: "InfluxDB",
    address: parseAddress(own.addr),
    defaultPort: 8086,
    tls: own,
    authorization: own.token
      ? { scheme: "Token", token: own.token }
      : user
        ? { user, password: own.dbuser_password || own.password || "" }
        : undefined,
    timeoutMs: own.timeout === undefined ? undefined : parseDuration(own.timeout, "timeout"),
  };
}
