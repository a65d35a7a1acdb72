// API tokens: scopes, format of the secret, and the headers that carry one.
import { type Static, Type } from "@sinclair/typebox";
import { TorusError } from "../errors.ts";
import { PlainName } from "../input/name.ts";
import { oneOfWords } from "../input/words.ts";
import { intervalSchema } from "../time/duration-schema.ts";

/** In ascending order; each scope includes those before it. */
export const scopes = ["read", "run", "admin"] as const;
export type Scope = (typeof scopes)[number];

export const ScopeSchema = oneOfWords(scopes, {
  description:
    "`read` reads, `run` also trains, writes points, starts and stops, `admin` also changes settings",
  rule: `must be one of ${scopes.join(", ")}`,
});

/** Request to create a token. */
export const TokenInput = Type.Object(
  {
    name: PlainName,
    scope: ScopeSchema,
    expires_in: Type.Optional(
      intervalSchema({
        description: "Validity; absent: until it is deleted",
        examples: ["90d"],
      }),
    ),
  },
  { additionalProperties: false, title: "token", $id: "TokenInput" },
);
export type TokenInput = Static<typeof TokenInput>;

/** Tokens in the settings, with their secrets. */
export const ConfiguredTokens = Type.Array(
  Type.Object(
    {
      name: PlainName,
      scope: ScopeSchema,
      token: Type.String({
        pattern: "^[\\x21-\\x7e]{20,512}$",
        rule: "must be 20 to 512 characters without spaces, as from openssl rand -hex 32",
      }),
    },
    { additionalProperties: false },
  ),
  {
    default: [],
    description:
      "Tokens `{name, scope, token}` beside those made with `POST /tokens`; give the token by a variable",
    rule: "must be a list of tokens with name, scope and token",
  },
);

/** A token of the settings, without its secret. */
export interface ConfiguredToken {
  readonly name: string;
  readonly scope: Scope;
  /** SHA-256 of the secret, hex. */
  readonly digest: string;
}

/** The token a resource was created with; it acts with the rights of that token. */
export interface Creator {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
}

/** The authenticated sender of a request. */
export interface Principal {
  readonly scope: Scope;
  /** Absent without authentication, and for jobs of the configuration. */
  readonly token?: Creator;
  /** A run of a scheduled job, by its name. */
  readonly scheduledJob?: string;
}

/** Any sender if authentication is off; and the configuration. */
export const unrestricted: Principal = { scope: "admin" };

/** Whether `scope` includes `needed`. */
export function allows(scope: Scope, needed: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(needed);
}

/** The scope that allows less. */
export function narrowerScope(a: Scope, b: Scope): Scope {
  return allows(a, b) ? b : a;
}

/** @throws TorusError `forbidden` naming the scope needed, if the principal lacks it */
export function assertScope({ scope, token }: Principal, needed: Scope): void {
  if (allows(scope, needed)) return;
  const who = token ? `token ${token.name}` : "this request";
  throw new TorusError(
    "forbidden",
    `${who} has scope ${scope}, this needs ${needed}: use a token with that scope`,
    {
      scope: needed,
    },
  );
}

/** Prefix of every generated secret, so that secret scanners recognise it. */
const PREFIX = "torus_";

/** The secret of a token. @param random 32 random bytes */
export function formatSecret(random: Uint8Array): string {
  if (random.length !== 32) throw new Error("a secret is made of 32 random bytes");
  return PREFIX + Buffer.from(random).toString("base64url");
}

/** SHA-256, hex. A secret has 256 random bits, so a slow hash would not make guessing any harder. */
export function digestOf(secret: string): string {
  return Bun.SHA256.hash(secret, "hex");
}

/** Secret of a request; `name` if the request names the token. */
export interface Credentials {
  readonly name?: string;
  readonly secret: string;
}

const MAX_HEADER = 4096;

/**
 * Reads an Authorization header: `Bearer <secret>`, the same as `Token <secret>` (clients of InfluxDB 2), or `Basic`
 * with the token's name and secret in place of user and password, as clients send it for `http://name:secret@host`.
 * @returns undefined for any other header
 */
export function parseAuthorization(header: string): Credentials | undefined {
  const match = header.length > MAX_HEADER ? null : /^(bearer|token|basic) +(\S+) *$/i.exec(header);
  if (!match) return undefined;
  const [, scheme = "", value = ""] = match;
  return scheme.toLowerCase() === "basic" ? parseBasic(value) : { secret: value };
}

/** Reads `u` and `p` of a query string, as clients of InfluxDB 1 send name and secret. @returns undefined without `p` */
export function parseQueryCredentials(url: string): Credentials | undefined {
  const query = url.indexOf("?");
  if (query < 0 || url.length > MAX_HEADER) return undefined;
  const params = new URLSearchParams(url.slice(query + 1));
  const [name, secret] = [params.get("u"), params.get("p")];
  return secret ? { ...(name && { name }), secret } : undefined;
}

function parseBasic(value: string): Credentials | undefined {
  const text = Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}
