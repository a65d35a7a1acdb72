// Cross-site requests: refused, except from origins in `server.cors`.
import { TorusError } from "../../core/errors.ts";

const MAX_AGE_S = 600;
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const requestHeaders =
  "authorization, content-type, if-match, last-event-id, mcp-protocol-version, x-request-id";
const answerHeaders = "etag, torus-bin-id, x-request-id, x-total-count, x-state-counts, retry-after";
const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** CORS headers, and refusal of cross-site requests. */
export class Cors {
  /** Whether any origin is allowed. */
  readonly isOn: boolean;
  readonly #allowed: ReadonlySet<string>;

  /** @param origins as browsers send them: `https://host` or `https://host:port` */
  constructor(origins: readonly string[]) {
    this.#allowed = new Set(origins);
    this.isOn = origins.length > 0;
  }

  /** Headers that let the page of an allowed origin read the answer. */
  headersFor({ headers }: Request): Record<string, string> {
    if (!this.isOn) return {};
    const origin = headers.get("origin");
    if (origin === null || !this.#allowed.has(origin)) return { vary: "origin" };
    return {
      vary: "origin",
      "access-control-allow-origin": origin,
      "access-control-expose-headers": answerHeaders,
    };
  }

  /** The answer to the preflight of an allowed origin; undefined for all other requests. */
  answerPreflight({ method, headers }: Request): Response | undefined {
    if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
    const origin = headers.get("origin");
    if (origin === null || !this.#allowed.has(origin)) return undefined;
    return new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-methods": methods,
        "access-control-allow-headers": requestHeaders,
        "access-control-max-age": String(MAX_AGE_S),
      },
    });
  }

  /**
   * Refuses cross-site requests, reads included: browsers send simple requests without a preflight, and may add a saved
   * password. Navigations, such as links in mails, are allowed. Pages cannot forge or suppress `Origin` and
   * `Sec-Fetch-*`; browsers send the latter only over HTTPS and to localhost.
   * @throws TorusError `forbidden`
   */
  refuseOtherSites({ method, headers }: Request): void {
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    if (site === null ? origin === null : site === "same-origin" || site === "none") return;
    if (origin !== null && this.#allowed.has(origin)) return;
    if (site === null && origin !== null && isOriginOf(origin, headers.get("host"))) return;
    if (safeMethods.includes(method) && opensPage(headers)) return;
    throw new TorusError(
      "forbidden",
      "cross-site requests are refused: add the origin of the page to server.cors",
    );
  }
}

function isOriginOf(origin: string, host: string | null): boolean {
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}

/** Whether a request is a top-level navigation, whose answer only the user sees. */
function opensPage(headers: Headers): boolean {
  return headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
}
