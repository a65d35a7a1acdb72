// Authorization: each operation declares the scope it needs; undeclared means `admin`.
import { assertScope, type Principal, type Scope } from "../../core/access/token.ts";
import { TorusError } from "../../core/errors.ts";
import { infoOf } from "./request-context.ts";

/** Scope that an operation needs; `open`: none. */
export type Access = Scope | "open";

declare module "elysia/types" {
  interface DocumentDecoration {
    scope: Access;
    /** Condition of a 409; absent: never. */
    conflict?: string;
    /** Documents the header `If-Match`, and the 412 where it does not match. */
    precondition?: boolean;
    /** Of a POST that has the same effect when repeated; that of other methods follows from RFC 9110. */
    idempotent?: boolean;
  }
}

/** Route with its declared scope. */
interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: { readonly scope?: Access } };
}

/** Closed to scheduled jobs, which could otherwise recreate themselves or gain rights. */
const closedToJobs = /^\/(scheduled_jobs|tokens|bin)(\/|$)/;

/** Sender of a request; operations other than open ones always have one. */
export function principalOf(request: Request): Principal {
  const { principal } = infoOf(request);
  if (!principal) throw new Error("the request is not authenticated");
  return principal;
}

/** Who deletes, for the bin. */
export function deleterOf(request: Request): { readonly by?: string | undefined } {
  return { by: principalOf(request).token?.name };
}

/** Scopes of all operations. */
export class AccessTable {
  /** By route, then method; a combined key would be built for each request. */
  readonly #needed = new Map<string, Map<string, Access>>();
  readonly #open = new Set<string>();
  /** Length of the longest open path; longer paths need no look-up. */
  #longestOpen = 0;
  /** Starts of open paths that end with a parameter. */
  readonly #openFolders: string[] = [];

  constructor(routes: readonly DeclaredRoute[]) {
    for (const { method, path, hooks } of routes) {
      const access = hooks.detail?.scope ?? "admin";
      const byMethod = this.#needed.get(path) ?? new Map<string, Access>();
      this.#needed.set(path, byMethod.set(method, access));
      if (access !== "open") continue;
      if (path.includes(":")) {
        this.#openFolders.push(path.slice(0, path.indexOf(":")));
        continue;
      }
      this.#open.add(path);
      this.#longestOpen = Math.max(this.#longestOpen, path.length);
    }
  }

  /** Whether a path is open. Known before routing, so open paths hold no parameters but a last one. */
  isOpen(path: string): boolean {
    if (this.#openFolders.some((folder) => path.startsWith(folder) && !path.includes("/", folder.length)))
      return true;
    if (path.length > this.#longestOpen + 1) return false;
    return this.#open.has(path) || (path.endsWith("/") && this.#open.has(path.slice(0, -1)));
  }

  /**
   * Checks the scope of the sender.
   * @param route pattern of the matched route
   * @throws TorusError `forbidden`
   */
  check(request: Request, route: string): void {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const needed = this.#needed.get(route)?.get(method) ?? "admin";
    if (needed === "open") return;
    const principal = principalOf(request);
    assertScope(principal, needed);
    if (principal.scheduledJob !== undefined && closedToJobs.test(route))
      throw new TorusError("forbidden", "a scheduled job must not change scheduled jobs, tokens or the bin");
  }
}
