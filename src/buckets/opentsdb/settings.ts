// Settings of OpenTSDB buckets, legacy names included, and the client options derived from them.
import { type Static, Type } from "@sinclair/typebox";
import { addressSchema, parseAddress } from "../../net/address.ts";
import type { ClientOptions } from "../../net/fetch.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import { readTimeout, textSetting, timeoutSetting, toCredentials } from "../shared/connection.ts";

export const settings = Type.Object(
  {
    addr: addressSchema({
      description: "`host`, `host:port` (default port 4242) or `http(s)://host:port[/path]`",
      examples: ["localhost:4242"],
    }),
    global_tag: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_./-]{1,256}$",
        default: "loudml",
        description: "Value of the tag `loudml` of every written point",
        rule: "must be 1 to 256 letters, digits, - _ . or /",
      }),
    ),
    user: textSetting("User name"),
    username: textSetting("Same as `user`"),
    password: textSetting("Password"),
    ...tlsSettings,
    ssl_cert_path: textSetting("Legacy name of `ca_certs`"),
    timeout: timeoutSetting,
  },
  { additionalProperties: false },
);
export type OpentsdbSettings = Static<typeof settings>;

export const secrets: readonly string[] = ["user", "username", "password", "client_key"];
export const destination: readonly string[] = ["addr", "ssl_cert_path", ...tlsDestination];

/** Options of the client. @throws TorusError `invalid` for a malformed address or timeout */
export function toClientOptions(own: OpentsdbSettings): ClientOptions {
  const authority = own.ca_certs || own.ssl_cert_path;
  return {
    software: "OpenTSDB",
    address: parseAddress(own.addr),
    defaultPort: 4242,
    tls: { ...own, ...(authority && { ca_certs: authority }) },
    authorization: toCredentials(own.user || own.username, own.password),
    timeoutMs: readTimeout(own.timeout),
  };
}
