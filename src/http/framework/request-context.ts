// What is known of a request while it is answered: kept beside it, so that nothing in the request itself can say so.
import type { Principal } from "../../core/access/token.ts";
import type { BodyAccount } from "./body-budget.ts";

export interface RequestInfo {
  readonly id: string;
  readonly method: string;
  /** Path as it was sent, without the query. */
  readonly path: string;
  /** Pattern of the route that took it, as in `/models/:names`. */
  route: string;
  pretty: boolean;
  /** Who sends it, where that is known. */
  principal: Principal | undefined;
  /** Of its body, once that is read. */
  account: BodyAccount | undefined;
}

const saneId = /^[A-Za-z0-9._:/+=-]{1,128}$/;
/** In place of the route of a request that none took. */
const NO_ROUTE = "none";

// One entry holds all of it: each table of this kind is one more look-up for every request.
const infos = new WeakMap<Request, RequestInfo>();

/** @returns id (the client's own where it is sane), method and path of a request */
export function describeRequest(request: Request, principal?: Principal): RequestInfo {
  const sent = request.headers.get("x-request-id");
  const id = sent && saneId.test(sent) ? sent : crypto.randomUUID();
  const { method, url } = request;
  return { id, method, path: pathOf(url), route: NO_ROUTE, pretty: false, principal, account: undefined };
}

/** Begins a request: whatever was known of it before is forgotten. */
export function admitRequest(request: Request, principal: Principal | undefined): RequestInfo {
  const info = describeRequest(request, principal);
  infos.set(request, info);
  return info;
}

/** What is known of a request that was admitted. */
export function infoOf(request: Request): RequestInfo {
  return infos.get(request) ?? admitRequest(request, undefined);
}

/** The path of a URL as it was sent: not decoded. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start < 0) return "/";
  return cutAt(cutAt(url.slice(start), "#"), "?");
}

function cutAt(text: string, mark: string): string {
  const end = text.indexOf(mark);
  return end < 0 ? text : text.slice(0, end);
}
