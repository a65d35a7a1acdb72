// Kind `elasticsearch_aws`: Elasticsearch and OpenSearch domains of AWS, every request signed.
import { type Static, Type } from "@sinclair/typebox";
import { addressSchema, parseAddress } from "../../net/address.ts";
import { Client, type ClientOptions, type Request } from "../../net/fetch.ts";
import { tlsDestination, tlsSettings } from "../../net/tls.ts";
import type { Bucket, BucketKind } from "../kind.ts";
import { openElastic, queryLanguage } from "../search/bucket.ts";
import { elasticSettings } from "../search/settings.ts";
import { readTimeout, textSetting, timeoutSetting } from "../shared/connection.ts";
import { type AwsKey, signRequest } from "./sigv4.ts";

const KeyText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 4096,
    description,
    rule: "must be a text of 1 to 4096 characters",
  });

const settings = Type.Object(
  {
    host: addressSchema({
      description: "Host of the domain, reached by TLS on port 443",
      examples: ["search-metrics-abc.eu-west-1.es.amazonaws.com"],
    }),
    region: Type.String({
      pattern: "^[a-z0-9-]{1,64}$",
      description: "Region of the domain",
      rule: "must be the name of a region, as in eu-west-1",
      examples: ["eu-west-1"],
    }),
    service: Type.Optional(
      Type.String({
        pattern: "^[a-z0-9-]{1,32}$",
        default: "es",
        description: "Service that requests are signed for; `aoss` for a serverless collection",
        rule: "must be the name of a service, as in es",
      }),
    ),
    ...elasticSettings,
    access_key: KeyText("Id of the access key"),
    secret_key: KeyText("Secret access key"),
    session_token: textSetting("Session token of temporary credentials"),
    get_boto_credentials: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Legacy: accepted and ignored; the key is that of the settings",
      }),
    ),
    ...tlsSettings,
    timeout: timeoutSetting,
  },
  { additionalProperties: false },
);
type Settings = Static<typeof settings>;

interface AwsOptions {
  /** Current time in ms. */
  readonly now?: () => number;
}

/** Builds the kind; the clock is a parameter. */
export function createElasticsearchAwsKind({ now = Date.now }: AwsOptions = {}): BucketKind<typeof settings> {
  return {
    kind: "elasticsearch_aws",
    description:
      "Elasticsearch and OpenSearch domains of AWS: as `elasticsearch`, with requests signed by an access key",
    settings,
    secrets: ["access_key", "secret_key", "session_token", "client_key"],
    destination: ["host", ...tlsDestination],
    queryLanguage,
    open: (_name, own) => openDomain(own, now),
  };
}

export const elasticsearchAws = createElasticsearchAwsKind();

function openDomain(own: Settings, now: () => number): Bucket {
  const key = {
    accessKey: own.access_key,
    secretKey: own.secret_key,
    sessionToken: own.session_token || undefined,
  };
  const address = parseAddress(own.host, "host");
  const options = {
    software: "Elasticsearch of AWS",
    address: { ...address, credentials: undefined, scheme: address.scheme ?? "https" },
    defaultPort: 443,
    tls: { ...own, verify_ssl: own.verify_ssl ?? true },
    secrets: [key.accessKey, key.secretKey, key.sessionToken ?? ""],
    timeoutMs: readTimeout(own.timeout),
  };
  const scope = { region: own.region, service: own.service ?? "es" };
  return openElastic(new SigningClient(options, { key, scope, prefix: address.path, now }), own);
}

interface Signing {
  readonly key: AwsKey;
  readonly scope: { readonly region: string; readonly service: string };
  readonly prefix: string;
  readonly now: () => number;
}

/** Signs each request when sending it. */
class SigningClient extends Client {
  constructor(
    options: ClientOptions,
    private readonly signing: Signing,
  ) {
    super(options);
  }

  override send(request: Request, signal: AbortSignal): Promise<string> {
    const { method, path, body = "" } = request;
    const { key, scope, prefix, now } = this.signing;
    const content = body instanceof URLSearchParams ? body.toString() : body;
    const headers = {
      ...request.headers,
      "X-Amz-Content-Sha256": new Bun.CryptoHasher("sha256").update(content).digest("hex"),
    };
    const parts = {
      method,
      path: `${prefix}${path}`,
      headers: { Host: this.host, ...headers },
      body: content,
    };
    const added = signRequest(parts, { key, scope }, now());
    return super.send({ ...request, headers: { ...headers, ...added } }, signal);
  }
}
