// Kind `elasticsearch`: Elasticsearch 7 to 9 and OpenSearch, over HTTP.
import { type Static, Type } from "@sinclair/typebox";
import { addressSchema, parseAddress } from "../../net/address.ts";
import { Client, type ClientOptions } from "../../net/fetch.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import type { BucketKind } from "../kind.ts";
import { openElastic, queryLanguage } from "../search/bucket.ts";
import { elasticSettings } from "../search/settings.ts";
import { readTimeout, textSetting, timeoutSetting, toCredentials } from "../shared/connection.ts";

const settings = Type.Object(
  {
    addr: addressSchema({
      description: "`host`, `host:port` (default port 9200) or `http(s)://host:port[/path]`",
      examples: ["localhost:9200"],
    }),
    ...elasticSettings,
    dbuser: textSetting("User name"),
    dbuser_password: textSetting("Password"),
    username: textSetting("Same as `dbuser`"),
    password: textSetting("Same as `dbuser_password`"),
    api_key: textSetting("API key, encoded or as `id:key`, in place of user and password"),
    ...tlsSettings,
    timeout: timeoutSetting,
  },
  { additionalProperties: false },
);
type Settings = Static<typeof settings>;

export const elasticsearch: BucketKind<typeof settings> = {
  kind: "elasticsearch",
  description:
    "Elasticsearch 7, 8 and 9, and OpenSearch. Fields and tags are fields of a document; measurements are ignored. " +
    "All documents are one series for `rate` and `derivative`, unless `series_by` names the fields that distinguish them. " +
    "Clearing deletes the documents that have a time, and needs the right to refresh the index",
  settings,
  secrets: ["dbuser", "dbuser_password", "username", "password", "api_key", "client_key"],
  destination: ["addr", ...tlsDestination],
  queryLanguage,
  open: (_name, own) => openElastic(new Client(toClientOptions(own)), own),
};

function toClientOptions(own: Settings): ClientOptions {
  const key = own.api_key?.includes(":") ? Buffer.from(own.api_key, "utf8").toString("base64") : own.api_key;
  return {
    software: "Elasticsearch",
    address: parseAddress(own.addr),
    defaultPort: 9200,
    tls: own,
    authorization: key
      ? { scheme: "ApiKey", token: key }
      : toCredentials(own.dbuser || own.username, own.dbuser_password || own.password),
    secrets: own.api_key ? [own.api_key, ...own.api_key.split(":")] : [],
    timeoutMs: readTimeout(own.timeout),
  };
}
