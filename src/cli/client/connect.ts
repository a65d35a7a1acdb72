// Connection to the server: address, credentials, TLS, timeout.
import { readFileSync } from "node:fs";
import { invalid } from "../../core/errors.ts";
import { parseDuration } from "../../core/time/time.ts";
import { withDeadline } from "../../runtime/deadline.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ClientOptions } from "./client.ts";

export const DEFAULT_ADDRESS = "http://localhost:8077";
const DEFAULT_TIMEOUT_MS = 60_000;
/** For addresses that are a host alone. */
const DEFAULT_PORT = 8077;

/** The longest delay of a timer, 24 days; longer ones would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The server could not be reached, or did not answer in time. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** Options of the command line that choose the server and the credentials. */
interface ConnectionOptions {
  readonly addr?: string | undefined;
  readonly "token-file"?: string | undefined;
  readonly token?: string | undefined;
  readonly ca?: string | undefined;
  readonly "insecure-tls": boolean;
  readonly timeout?: string | undefined;
}

export type Connection = Required<Pick<ClientOptions, "baseUrl" | "fetch">>;
type Env = Terminal["env"];

/**
 * Prepares a connection; sends nothing yet.
 * @throws TorusError `invalid` for a bad address or a file that cannot be read
 */
export function connect(options: ConnectionOptions, env: Env): Connection {
  const { baseUrl, login } = parseAddress(options.addr ?? env.TORUS_ADDR ?? DEFAULT_ADDRESS);
  const authorization = authorize(options, login, env);
  const timeoutMs = readTimeout(options.timeout);
  const tls = {
    ...(options.ca !== undefined && { ca: readText(options.ca, "--ca") }),
    ...(options["insecure-tls"] && { rejectUnauthorized: false }),
  };
  const fetchOnce = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (authorization) headers.set("authorization", authorization);
    try {
      const request = { ...init, headers, tls, redirect: "manual" as const, timeout: false };
      const outer = init.signal ?? undefined;
      // The limit ends with the headers: only an interrupt aborts the body.
      const send = (limited: AbortSignal) =>
        fetch(url, { ...request, signal: outer ? AbortSignal.any([outer, limited]) : limited });
      return await withDeadline(timeoutMs, send, { signal: outer });
    } catch (error) {
      throw init.signal?.aborted ? error : toConnectionError(error, baseUrl, timeoutMs);
    }
  };
  return { baseUrl, fetch: fetchOnce };
}

/** In ms. @throws TorusError `invalid` */
function readTimeout(timeout: string | undefined): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const timeoutMs = parseDuration(timeout, "--timeout");
  if (timeoutMs <= 0) throw invalid("--timeout", "must be longer than 0");
  return Math.min(timeoutMs, MAX_TIMEOUT_MS);
}

/** `host`, `host:port` or a URL, with or without `user:password@`. @throws TorusError `invalid` */
export function parseAddress(address: string): { baseUrl: string; login?: string } {
  const written = address.startsWith(":") ? `localhost${address}` : address;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(written);
  const full = hasScheme ? written : `http://${written}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  // The address may contain a password: errors must not repeat it.
  if (!url || !["http:", "https:"].includes(url.protocol) || url.search || url.hash)
    throw invalid("--addr", `must be an address as in ${DEFAULT_ADDRESS}`);
  const needsPort = !hasScheme && url.port === "" && !/:80(\/|$)/.test(written);
  const host = needsPort ? `${url.host}:${DEFAULT_PORT}` : url.host;
  const baseUrl = `${url.protocol}//${host}${url.pathname.replace(/\/+$/, "")}`;
  if (!url.username && !url.password) return { baseUrl };
  try {
    return { baseUrl, login: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` };
  } catch {
    throw invalid("--addr", "must have special characters of user and password percent-encoded, as in %40");
  }
}

/** The authorization header. Precedence: options, user and password in the address, environment. */
function authorize(options: ConnectionOptions, login: string | undefined, env: Env): string | undefined {
  const file = options["token-file"];
  const token = file === undefined ? options.token : readTokenFile(file);
  if (token) return `Bearer ${checkToken(token)}`;
  if (login !== undefined) return `Basic ${Buffer.from(login).toString("base64")}`;
  return env.TORUS_TOKEN ? `Bearer ${checkToken(env.TORUS_TOKEN)}` : undefined;
}

/** An empty file is a mistake: another token in its place would be one of other rights. */
function readTokenFile(path: string): string {
  const token = readText(path, "--token-file").trim();
  if (token === "") throw invalid("--token-file", `${path} holds no token`);
  return token;
}

function checkToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalid("--token", "must be one word of printable ASCII");
  return token;
}

function readText(path: string, flag: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(flag, `${path} cannot be read (${(error as { code?: string }).code ?? "error"})`);
  }
}

const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/ECONNREFUSED|ConnectionRefused/, "connection refused: is the server running, and is the address right?"],
  [/ENOTFOUND|EAI_AGAIN/, "unknown host"],
  [/SELF_SIGNED|UNABLE_TO_|CERT_|ALTNAME/i, "its certificate is not trusted: set --ca to its authority"],
  [/EPROTO/, "it does not speak TLS on this port: is it http://, and is the port right?"],
  [/Malformed_HTTP|InvalidHTTP/i, "it does not speak HTTP: is the address that of a Torus server?"],
  [/ECONNRESET|ConnectionClosed|EPIPE/, "the server closed the connection: does it need https://?"],
];

function toConnectionError(error: unknown, baseUrl: string, timeoutMs: number): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  if (error.name === "TimeoutError")
    return new ConnectionError(`${baseUrl}: no answer within ${timeoutMs / 1000} s; see --timeout`);
  const text = `${String(code)} ${error.message}`;
  const known = reasons.find(([pattern]) => pattern.test(text));
  return new ConnectionError(`${baseUrl}: ${known?.[1] ?? error.message}`);
}
