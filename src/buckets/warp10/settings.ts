// Settings of Warp 10 buckets, and the client options derived from them.
import { type Static, Type } from "@sinclair/typebox";
import { addressSchema, parseAddress } from "../../net/address.ts";
import type { ClientOptions } from "../../net/fetch.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import { readTimeout, textSetting, timeoutSetting } from "../shared/connection.ts";

const DEFAULT_URL = "http://localhost:8080";

export const settings = Type.Object(
  {
    url: Type.Optional({
      ...addressSchema({
        description: "`http(s)://host:port[/path]`; without a path that of the API, `/api/v0`",
        examples: ["http://localhost:8080"],
      }),
      default: DEFAULT_URL,
    }),
    read_token: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: "Read token",
      rule: "must be a text of 1 to 4096 characters",
    }),
    write_token: textSetting("Write token; absent: the bucket is read-only"),
    global_prefix: Type.Optional(
      Type.Union([Type.String({ maxLength: 256 }), Type.Null()], {
        description: "Prefix of every class, followed by a dot",
        rule: "must be a text of at most 256 characters, or null",
      }),
    ),
    ...tlsSettings,
    timeout: timeoutSetting,
  },
  { additionalProperties: false },
);
export type Warp10Settings = Static<typeof settings>;

export const secrets: readonly string[] = ["read_token", "write_token", "client_key"];
export const destination: readonly string[] = ["url", ...tlsDestination];

/** Options of the client. @throws TorusError `invalid` for a malformed address or timeout */
export function toClientOptions(own: Warp10Settings): ClientOptions {
  const address = parseAddress(own.url ?? DEFAULT_URL, "url");
  return {
    software: "Warp 10",
    address: { ...address, path: address.path || "/api/v0" },
    defaultPort: 8080,
    tls: own,
    secrets: [own.read_token, own.write_token ?? ""],
    timeoutMs: readTimeout(own.timeout),
  };
}
