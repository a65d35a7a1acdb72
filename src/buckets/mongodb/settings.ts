// Settings of MongoDB buckets, and the addresses derived from them.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { type Address, parseAddress } from "../../net/address.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import { textSetting, timeoutSetting } from "../shared/connection.ts";
import { seriesBySetting } from "../shared/series-by.ts";

const DEFAULT_PORT = 27_017;

export const settings = Type.Object(
  {
    addr: Type.String({
      pattern: "^[^\\s/?#@]{1,2048}$",
      description: "`host` or `host:port` (default port 27017); those of a replica set separated by commas",
      rule: "must be host or host:port, several of them separated by commas, without user and password",
      examples: ["localhost:27017"],
    }),
    database: Type.String({
      pattern: '^[^\\s/\\\\."$*<>:|?\\u0000]{1,63}$',
      description: "Database",
      rule: "must be the name of a database: no blanks and no special characters",
    }),
    collection: Type.String({
      pattern: "^(?!system\\.)[^$\\u0000-\\u001f]{1,200}$",
      description: "Collection to read from and write to",
      rule: "must be the name of a collection: no $, and no system. in front",
    }),
    timestamp_field: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], {
        default: "timestamp",
        description: "Field that holds the time",
        rule: "must be the name of a field, or null",
      }),
    ),
    time_unit: Type.Optional(
      Type.Union([Type.Literal("s"), Type.Literal("ms"), Type.Literal("date")], {
        default: "s",
        description: "Representation of the time: seconds or milliseconds since the epoch, or a date",
        rule: "must be one of s, ms, date",
      }),
    ),
    series_by: seriesBySetting("Fields"),
    username: textSetting("User name"),
    password: textSetting("Password"),
    auth_source: textSetting("Database of the user; absent: admin"),
    replica_set: textSetting("Name of the replica set"),
    ...tlsSettings,
    timeout: timeoutSetting,
  },
  { additionalProperties: false },
);
export type MongoSettings = Static<typeof settings>;

export const secrets: readonly string[] = ["username", "password", "client_key"];
export const destination: readonly string[] = ["addr", ...tlsDestination];

/** Addresses of the servers. @throws TorusError `invalid` for a malformed address */
export function readHosts({ addr }: MongoSettings): { readonly host: string; readonly port: number }[] {
  return addr.split(",").map((text) => {
    const { scheme, credentials, path, host, port }: Address = parseAddress(text);
    if (scheme || credentials || path)
      throw invalid("addr", "must be host or host:port, without anything else");
    return { host, port: port ?? DEFAULT_PORT };
  });
}
