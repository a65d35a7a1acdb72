// Settings of PostgreSQL buckets: the server, and the meaning of the columns.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import { addressSchema, parseAddress } from "../../net/address.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import { shortTextSetting } from "../shared/connection.ts";
import { seriesBySetting } from "../shared/series-by.ts";
import type { ConnectOptions } from "./database.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

const identifierRule = "must be 1 to 63 bytes without NUL";
/** PostgreSQL truncates longer names silently; `quoteName` counts bytes. */
const Identifier = (description: string) =>
  Type.String({ pattern: "^[^\\u0000]{1,63}$", description, rule: identifierRule });

/** Units of a time column that is a number, per millisecond. */
export const timeUnits = { s: 1e-3, ms: 1, us: 1e3, ns: 1e6 } as const;

export const settings = Type.Object(
  {
    addr: {
      ...addressSchema({
        description: "`host` or `host:port` (default port 5432)",
        examples: ["localhost:5432"],
      }),
      pattern: "^[^/]*$",
      rule: "must be host or host:port; link-local and metadata addresses are refused",
    },
    database: Identifier("Database"),
    user: shortTextSetting("User name"),
    username: shortTextSetting("Same as `user`"),
    password: shortTextSetting("Password"),
    schema: Type.Optional(Identifier("Schema of the table; absent: the search path decides")),
    table: Type.Optional(Identifier("Table or view with a row per point")),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 65_536,
        description: "SELECT to read from in place of `table`; its columns are times, fields and tags",
      }),
    ),
    time_column: Identifier("Column with the time: a timestamp, a date, or a number in `time_unit`"),
    time_unit: Type.Optional(
      oneOfWords(["s", "ms", "us", "ns"], {
        default: "s",
        description: "Unit of a time column that is a number: s, ms, us or ns",
        rule: "must be s, ms, us or ns",
      }),
    ),
    series_by: seriesBySetting("Columns"),
    measurement_column: Type.Optional(Identifier("Column with the measurement; absent: features name none")),
    writable: Type.Optional(
      Type.Boolean({ default: false, description: "Whether points may be written, as rows of `table`" }),
    ),
    ...tlsSettings,
    timeout: Type.Optional(
      intervalSchema({ description: "Timeout of one statement", default: "30s", examples: ["2m"] }),
    ),
  },
  { additionalProperties: false },
);
export type PostgresSettings = Static<typeof settings>;

export const secrets: readonly string[] = ["user", "username", "password", "client_key"];
export const destination: readonly string[] = ["addr", ...tlsDestination];

/** @throws TorusError `invalid` for settings that exclude each other */
export function checkSettings(own: PostgresSettings): void {
  if ((own.table === undefined) === (own.query === undefined))
    throw invalid("table", "is required, or query in its place: one of the two");
  if (own.writable && own.table === undefined)
    throw invalid("writable", "needs table: rows cannot be added to a query");
}

/** Options of the client. @throws TorusError `invalid` for a malformed address or timeout */
export function toConnectOptions(own: PostgresSettings): ConnectOptions {
  const address = parseAddress(own.addr);
  return {
    host: address.host,
    port: address.port ?? 5432,
    database: own.database,
    user: own.user || own.username || address.credentials?.user || "",
    password: own.password || address.credentials?.password || "",
    tls: own,
    timeoutMs: own.timeout === undefined ? DEFAULT_TIMEOUT_MS : parseDuration(own.timeout, "timeout"),
  };
}
