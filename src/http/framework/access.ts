// Who may do what: each operation declares the scope it needs, and nobody passes who has less.
import { demandScope, type Principal, type Scope } from "../../core/access/token.ts";
import { TorusError } from "../../core/errors.ts";
import { infoOf } from "./request-context.ts";

/** What an operation asks of who calls it: a scope, or nothing at all. */
export type Access = Scope | "open";

declare module "elysia/types" {
  interface DocumentDecoration {
    /** What this operation asks of who calls it. */
    scope: Access;
    /** When it answers 409; absent: never. */
    conflict?: string;
  }
}

/** What is needed of a route. */
interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: { readonly scope?: Access } };
}

/** A scheduled job changes neither timetables nor who may do what: it could bring itself back, or gain rights. */
const closedToJobs = /^\/(scheduled_jobs|tokens)(\/|$)/;

/** Who sends a request to an operation that is not open. */
export function principalOf(request: Request): Principal {
  const { principal } = infoOf(request);
  if (!principal) throw new Error("nobody has said who sends this request");
  return principal;
}

/** The rights of all operations. An operation that declares none is for administrators. */
export class AccessTable {
  /** By route, then by method: a key made of both would be built anew for each request. */
  readonly #needed = new Map<string, Map<string, Access>>();
  readonly #open = new Set<string>();
  /** Characters of the longest open path: to look a long one up would be to hash it for nothing. */
  #longestOpen = 0;

  constructor(routes: readonly DeclaredRoute[]) {
    for (const { method, path, hooks } of routes) {
      const access = hooks.detail?.scope ?? "admin";
      const byMethod = this.#needed.get(path) ?? new Map<string, Access>();
      this.#needed.set(path, byMethod.set(method, access));
      if (access !== "open") continue;
      this.#open.add(path);
      this.#longestOpen = Math.max(this.#longestOpen, path.length);
    }
  }

  /** Whether anybody may ask for this path; to be known before it is routed, so it holds no parameters. */
  isOpen(path: string): boolean {
    if (path.length > this.#longestOpen + 1) return false;
    return this.#open.has(path) || (path.endsWith("/") && this.#open.has(path.slice(0, -1)));
  }

  /**
   * Lets a request pass that its route has taken.
   * @param route pattern of the route
   * @throws TorusError `forbidden`
   */
  check(request: Request, route: string): void {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const needed = this.#needed.get(route)?.get(method) ?? "admin";
    if (needed === "open") return;
    const principal = principalOf(request);
    demandScope(principal, needed);
    if (principal.scheduledJob !== undefined && closedToJobs.test(route))
      throw new TorusError("forbidden", "a scheduled job may change neither scheduled jobs nor tokens");
  }
}
