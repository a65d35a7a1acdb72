// Pages of other sites: none may read or change anything here, but those of origins the settings name.
import { TorusError } from "../core/errors.ts";

const MAX_AGE_S = 600;
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const requestHeaders = "authorization, content-type, x-request-id";
const answerHeaders = "x-request-id, retry-after";
const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** What pages of other sites may do. */
export class Cors {
  /** Whether there is any such page. */
  readonly isOn: boolean;
  readonly #allowed: ReadonlySet<string>;

  /** @param origins as browsers send them: `https://host` or `https://host:port` */
  constructor(origins: readonly string[]) {
    this.#allowed = new Set(origins);
    this.isOn = origins.length > 0;
  }

  /** Headers by which a browser shows the answer to the page that asked. */
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

  /** The answer to a browser that asks whether a page may send a request; undefined for every other request. */
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
   * Refuses what the page of another site would change: a browser asks no leave for a request without a body, and
   * may add a password it has kept. Only browsers send this header, and no page can leave it out.
   * @throws TorusError `forbidden`
   */
  refuseOtherSites({ method, headers }: Request): void {
    if (safeMethods.includes(method)) return;
    const site = headers.get("sec-fetch-site");
    if (site !== "cross-site" && site !== "same-site") return;
    if (this.#allowed.has(headers.get("origin") ?? "")) return;
    throw new TorusError(
      "forbidden",
      "the page of another site may change nothing here: name its origin in server.cors",
    );
  }
}
