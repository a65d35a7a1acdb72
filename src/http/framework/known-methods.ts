// Methods by path: decides between 404 and 405 where no route matches.
import { TorusError } from "../../core/errors.ts";
import { suggestClosest } from "../../core/input/suggest.ts";

export interface Route {
  readonly method: string;
  readonly path: string;
}

/** @returns a function that explains why no route matches a request: unknown path, or unsupported method */
export function createMethodTable(routes: readonly Route[]) {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const methods = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, methods.add(method));
    if (method === "GET") methods.add("HEAD");
  }
  const table = [...methodsByPath].map(([path, methods]) => ({ pattern: toPattern(path), methods }));

  return (path: string, method: string): TorusError => {
    const allowed = table.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0) return new TorusError("not_found", "the path does not exist");
    const allow = [...new Set(allowed)].sort().join(", ");
    return new TorusError(
      "method_not_allowed",
      `${method} is not supported by this path; supported: ${allow}`,
      {
        allow,
      },
    );
  };
}

/** @throws TorusError `not_found` naming the closest path, `method_not_allowed`: no route matches */
export function requireRoute(routes: readonly Route[], method: string, path: string): void {
  const miss = createMethodTable(routes)(path, method.toUpperCase());
  const { allow } = miss.details;
  if (typeof allow === "string" && allow.split(", ").includes(method.toUpperCase())) return;
  const near = allow === undefined && closestPath(path, routes);
  throw near ? new TorusError("not_found", `${miss.message}; did you mean ${near}?`) : miss;
}

/** The path of a route that one of the same length was probably meant to be, with its own names. */
function closestPath(path: string, routes: readonly Route[]): string | undefined {
  const given = path.replace(/\/$/, "").split("/");
  const candidates = routes
    .map((route) => route.path.split("/"))
    .filter((parts) => parts.length === given.length)
    .map((parts) => parts.map((part, i) => (part.startsWith(":") ? given[i] : part)).join("/"));
  return suggestClosest(path, candidates);
}

/** Pattern of the paths that the path of a route stands for. */
export function toPattern(path: string): RegExp {
  const parts = path.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : escapeText(part)));
  return new RegExp(`^${parts.join("/")}/?$`);
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
