// Settings of security: tokens, TLS certificate, CORS origins, trusted proxies, sealing key.
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { parseHostName } from "../core/access/host.ts";
import { KEY_RECIPE, parseKey } from "../core/access/key.ts";
import { type ConfiguredToken, digestOf } from "../core/access/token.ts";
import { NETWORK_RULE, type Network, readNetwork } from "../core/access/trusted-proxies.ts";
import { invalid } from "../core/errors.ts";
import type { FileSources } from "./hooks.ts";
import type { Settings } from "./schema.ts";
import { readSpan } from "./values.ts";

/** Certificate and key of the listener, in PEM. */
export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string;
}

/** Effective settings of security. */
interface SecurityOptions {
  readonly auth: {
    /** Whether a token is required even if none exists. */
    readonly required: boolean;
    readonly tokens: readonly ConfiguredToken[];
    /** Whether the server may listen on the network without tokens. */
    readonly insecure: boolean;
  };
  readonly tls?: TlsOptions;
  /** Further host names that a server without tokens answers to. */
  readonly allowedHosts: readonly string[];
  /** `max-age` of Strict-Transport-Security; 0: no header. */
  readonly hstsSeconds: number;
  /** Origins whose pages may use the API. */
  readonly cors: readonly string[];
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly proxies: readonly Network[];
  /** Key that seals secrets; without key and file: a file in the data directory. */
  readonly sealing: {
    readonly key?: Uint8Array;
    readonly file?: string;
    readonly previousFile?: string;
  };
  /** Files with secrets that other users can read. */
  readonly exposedFiles: readonly string[];
}

/**
 * Reads the settings of security; tokens are kept as digests only.
 * @throws TorusError `invalid` naming the setting, and the file if there is one
 */
export function readSecurity(
  { server, storage }: Pick<Settings, "server" | "storage">,
  insecure: boolean,
  sources: FileSources,
): SecurityOptions {
  const { auth, tls, cors, trusted_proxies, allowed_hosts } = server;
  const tlsOptions = readTls(tls, sources);
  const { key_file: file, previous_key_file: previousFile } = storage;
  const key = readEnvKey(sources.env);
  if (storage.url && !key && !file)
    throw invalid(
      "storage.key_file",
      `is required with storage.url, which needs the same key on every machine: name a file (of a state that is moved from a data directory, its torus.key), or set TORUS_KEY; ${KEY_RECIPE} makes one`,
    );
  return {
    auth: { required: auth.required, tokens: readTokens(auth.tokens), insecure },
    ...(tlsOptions && { tls: tlsOptions }),
    hstsSeconds: readSpan(tls.hsts, "server.tls.hsts", { min: 0, max: 63_072_000 }) / 1000,
    allowedHosts: allowed_hosts.map(checkHostName),
    cors: cors.map(checkOrigin),
    proxies: trusted_proxies.map(checkNetwork),
    sealing: { ...(key && { key }), ...(file && { file }), ...(previousFile && { previousFile }) },
    exposedFiles: [tls.key, file, previousFile].filter((path) => path !== "" && isExposed(path, sources)),
  };
}

function isExposed(path: string, { isExposed }: FileSources): boolean {
  try {
    return isExposed?.(path) ?? false;
  } catch {
    // A missing file is reported by its reader.
    return false;
  }
}

function readTokens(tokens: Settings["server"]["auth"]["tokens"]): ConfiguredToken[] {
  const read = tokens.map(({ name, scope, token }) => ({ name, scope, digest: digestOf(token) }));
  for (const [index, { name, digest }] of read.entries()) {
    const earlier = read.slice(0, index);
    if (earlier.some((other) => other.name === name))
      throw invalid(`server.auth.tokens.${index}.name`, "is given twice");
    if (earlier.some((other) => other.digest === digest))
      throw invalid(`server.auth.tokens.${index}.token`, "must differ from the earlier ones");
  }
  return read;
}

function readEnvKey(env: FileSources["env"]): Uint8Array | undefined {
  if (!env.TORUS_KEY) return undefined;
  const key = parseKey(env.TORUS_KEY);
  if (key) return key;
  throw invalid("TORUS_KEY", `must be 32 bytes in base64 or hexadecimal, as from ${KEY_RECIPE}`);
}

function checkHostName(text: string, index: number): string {
  const name = parseHostName(text);
  if (name === undefined || name !== text.toLowerCase())
    throw invalid(
      `server.allowed_hosts.${index}`,
      "must be a host name without a port, as in torus.example.org",
    );
  return name;
}

/** Requires the form that browsers send, as origins are compared by equality. */
function checkOrigin(origin: string, index: number): string {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isExact = url !== undefined && /^https?:$/.test(url.protocol) && url.origin === origin;
  if (!isExact)
    throw invalid(`server.cors.${index}`, "must be an origin, as in https://host or http://host:3000");
  return origin;
}

function checkNetwork(text: string, index: number): Network {
  const network = readNetwork(text);
  if (!network) throw invalid(`server.trusted_proxies.${index}`, NETWORK_RULE);
  return network;
}

function readTls(
  { cert: certFile, key: keyFile, passphrase }: Settings["server"]["tls"],
  { readFile }: FileSources,
): TlsOptions | undefined {
  if (!certFile && !keyFile) return undefined;
  if (!certFile || !keyFile)
    throw invalid(`server.tls.${certFile ? "key" : "cert"}`, "is required: certificate and key go together");
  const cert = readPem("cert", certFile, readFile);
  const key = readPem("key", keyFile, readFile);
  const certificate = parse(
    "cert",
    `${certFile} holds no certificate in PEM`,
    () => new X509Certificate(cert),
  );
  const reason = passphrase
    ? `${keyFile} holds no private key in PEM that server.tls.passphrase opens`
    : `${keyFile} holds no private key in PEM, or one that needs server.tls.passphrase`;
  const privateKey = parse("key", reason, () => createPrivateKey({ key, ...(passphrase && { passphrase }) }));
  if (!isPair(certificate, privateKey))
    throw invalid("server.tls.key", `${keyFile} is not the key of the certificate in ${certFile}`);
  return { cert, key, ...(passphrase && { passphrase }) };
}

function isPair(certificate: X509Certificate, key: KeyObject): boolean {
  return certificate.checkPrivateKey(key);
}

function readPem(name: string, path: string, readFile: FileSources["readFile"]): string {
  return parse(name, `${path} cannot be read`, () => readFile(path));
}

function parse<T>(name: string, reason: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw invalid(`server.tls.${name}`, reason);
  }
}
