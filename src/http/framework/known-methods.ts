// Methods by path: decides between 404 and 405 where no route matches.
import { TorusError } from "../../core/errors.ts";

interface Route {
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

function toPattern(path: string): RegExp {
  const parts = path.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : escapeText(part)));
  return new RegExp(`^${parts.join("/")}/?$`);
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
