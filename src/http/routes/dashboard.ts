// Routes of the dashboard: static files without data, open to every sender; a strict policy for scripts.
import { TorusError } from "../../core/errors.ts";
import type { AppDeps, UiFile } from "../framework/deps.ts";
import { createInstance } from "../framework/elysia.ts";

/** Scripts and styles of this server alone, no inline ones, no text as HTML (Trusted Types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Routes of the dashboard. */
export function createDashboardRoutes({ ui }: Pick<AppDeps, "ui">) {
  const find = async (name: string): Promise<UiFile> => {
    if (!ui) throw new TorusError("not_found", "the dashboard is turned off: set server.ui to true");
    const file = await ui.find(name);
    if (!file) throw new TorusError("not_found", "the dashboard has no such file");
    return file;
  };
  return createInstance()
    .get(
      "/ui",
      async ({ request }) => {
        const file = await find("");
        // The addresses of scripts are relative, so that proxies may serve the dashboard below a prefix.
        if (!new URL(request.url).pathname.endsWith("/"))
          return new Response(null, { status: 308, headers: { location: "ui/" } });
        return answer(file, request);
      },
      { detail: { scope: "open", hide: true } },
    )
    .get("/ui/:file", async ({ params, request }) => answer(await find(params.file), request), {
      detail: { scope: "open", hide: true },
    });
}

function answer({ type, gzip, etag, isNamedByContent }: UiFile, request: Request): Response {
  const headers: Record<string, string> = {
    "content-type": type,
    "content-security-policy": POLICY,
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    etag,
  };
  const known = request.headers.get("if-none-match") ?? "";
  if (known.split(",").some((entry) => entry.trim().replace(/^W\//, "") === etag))
    return new Response(null, { status: 304, headers });
  const acceptsGzip = /(^|[\s,])gzip\s*(,|;(?!\s*q=0(\.0*)?\s*(,|$))|$)/.test(
    request.headers.get("accept-encoding") ?? "",
  );
  if (acceptsGzip) return new Response(gzip, { headers: { ...headers, "content-encoding": "gzip" } });
  return new Response(Bun.gunzipSync(gzip), { headers });
}
