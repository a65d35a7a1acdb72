// Settings of ClickHouse buckets, and the client options derived from them.
import { type Static, Type } from "@sinclair/typebox";
import { addressSchema, parseAddress } from "../../net/address.ts";
import type { ClientOptions } from "../../net/fetch.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import { readTimeout, textSetting, timeoutSetting, toCredentials } from "../shared/connection.ts";
import { seriesBySetting } from "../shared/series-by.ts";
import { readException } from "./exception.ts";

const nameRule = "must be 1 to 256 characters without control characters";
const NameText = (description: string) =>
  Type.String({ pattern: "^[^\\u0000-\\u001f\\u007f]{1,256}$", description, rule: nameRule });

export const settings = Type.Object(
  {
    addr: addressSchema({
      description: "`host`, `host:port` (default port 8123) or `http(s)://host:port[/path]`",
      examples: ["localhost:8123"],
    }),
    database: Type.Optional(
      Type.String({
        pattern: "^[^\\u0000-\\u001f\\u007f]{1,256}$",
        default: "default",
        description: "Database",
        rule: nameRule,
      }),
    ),
    table: NameText("Table to read from and write to; fields and tags are columns of it, best nullable ones"),
    time_column: Type.Optional(
      Type.String({
        pattern: "^[^\\u0000-\\u001f\\u007f]{1,256}$",
        default: "time",
        description: "Column that holds the time, of type DateTime or DateTime64",
        rule: nameRule,
      }),
    ),
    series_by: seriesBySetting("Columns"),
    user: textSetting("User name"),
    username: textSetting("Same as `user`"),
    password: textSetting("Password"),
    ...tlsSettings,
    timeout: timeoutSetting,
  },
  { additionalProperties: false },
);
export type ClickhouseSettings = Static<typeof settings>;

export const secrets: readonly string[] = ["user", "username", "password", "client_key"];
export const destination: readonly string[] = ["addr", ...tlsDestination];

/** Options of the client. @throws TorusError `invalid` for a malformed address or timeout */
export function toClientOptions(own: ClickhouseSettings): ClientOptions {
  return {
    software: "ClickHouse",
    address: parseAddress(own.addr),
    defaultPort: 8123,
    tls: own,
    authorization: toCredentials(own.user || own.username, own.password),
    timeoutMs: readTimeout(own.timeout),
    readError: readException,
  };
}
