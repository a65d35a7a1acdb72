// Per-request context, stored outside the Request so that clients cannot forge it.
import type { Principal } from "../../core/access/token.ts";
import type { ByteAccount } from "../../runtime/byte-budget.ts";
import type { Dialect } from "./dialect.ts";
import type { FindDialect } from "./dialects.ts";
import { jsonDialect } from "./json-dialect.ts";

export interface RequestInfo {
  readonly id: string;
  readonly method: string;
  /** Path without the query, not decoded. */
  readonly path: string;
  readonly dialect: Dialect;
  /** Pattern of the matched route, as in `/models/:names`; `none` until one has matched. */
  route: string;
  pretty: boolean;
  /** Sender, once authenticated. */
  principal: Principal | undefined;
  /** Whether the matched route has checked the sender's scope. */
  isAuthorized: boolean;
  /** Of its body, once reading starts. */
  account: ByteAccount | undefined;
}

const validId = /^[A-Za-z0-9._:/+=-]{1,128}$/;
/** Route of requests that no route has matched. */
const NO_ROUTE = "none";

// One map for everything: each further one would cost a look-up per request.
const infos = new WeakMap<Request, RequestInfo>();

/** @returns the initial context; the id is the client's where that is valid */
export function describeRequest(
  request: Request,
  principal?: Principal,
  findDialect: FindDialect = () => jsonDialect,
): RequestInfo {
  const sent = request.headers.get("x-request-id");
  const id = sent && validId.test(sent) ? sent : crypto.randomUUID();
  const { method, url } = request;
  const path = pathOf(url);
  return {
    id,
    method,
    path,
    dialect: findDialect(path),
    route: NO_ROUTE,
    pretty: false,
    principal,
    isAuthorized: false,
    account: undefined,
  };
}

/** Starts a request with a fresh context. */
export function admitRequest(
  request: Request,
  principal: Principal | undefined,
  findDialect?: FindDialect,
): RequestInfo {
  const info = describeRequest(request, principal, findDialect);
  infos.set(request, info);
  return info;
}

/** @returns the context of an admitted request */
export function infoOf(request: Request): RequestInfo {
  return infos.get(request) ?? admitRequest(request, undefined);
}

/** Path of a URL, not decoded. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start < 0) return "/";
  return cutAt(cutAt(url.slice(start), "#"), "?");
}

function cutAt(text: string, mark: string): string {
  const end = text.indexOf(mark);
  return end < 0 ? text : text.slice(0, end);
}
