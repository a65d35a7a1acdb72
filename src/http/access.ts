// Who may do what: each operation declares the scope it needs, and who sends a request is kept beside it.
import { TorusError } from "../core/errors.ts";
import { demandScope, type Principal, type Scope } from "../core/token.ts";

/** What an operation asks of who calls it: a scope, or nothing at all. */
export type Access = Scope | "open";

declare module "elysia/types" {
  interface DocumentDecoration {
    /** What this operation asks of who calls it. */
    scope: Access;
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

const principals = new WeakMap<Request, Principal>();

/** Says who sends a request. Nothing in the request itself can say so. */
export function setPrincipal(request: Request, principal: Principal): void {
  principals.set(request, principal);
}

/** Who sends a request, where that is known already. */
export function findPrincipal(request: Request): Principal | undefined {
  return principals.get(request);
}

/** Who sends a request to an operation that is not open. */
export function principalOf(request: Request): Principal {
  const principal = principals.get(request);
  if (!principal) throw new Error("nobody has said who sends this request");
  return principal;
}

/** The rights of all operations. An operation that declares none is for administrators. */
export class AccessTable {
  readonly #needed = new Map<string, Access>();
  readonly #open = new Set<string>();

  constructor(routes: readonly DeclaredRoute[]) {
    for (const { method, path, hooks } of routes) {
      const access = hooks.detail?.scope ?? "admin";
      this.#needed.set(`${method} ${path}`, access);
      if (access === "open") this.#open.add(path);
    }
  }

  /** Whether anybody may ask for this path; to be known before it is routed, so it holds no parameters. */
  isOpen(path: string): boolean {
    return this.#open.has(path) || this.#open.has(path.replace(/(?<=.)\/$/, ""));
  }

  /**
   * Lets a request pass that its route has taken.
   * @param route pattern of the route
   * @throws TorusError `forbidden`
   */
  check(request: Request, route: string): void {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const needed = this.#needed.get(`${method} ${route}`) ?? "admin";
    if (needed === "open") return;
    const principal = principalOf(request);
    demandScope(principal, needed);
    if (principal.scheduledJob !== undefined && closedToJobs.test(route))
      throw new TorusError("forbidden", "a scheduled job may change neither scheduled jobs nor tokens");
  }
}
