// Requests of pages of other sites: refused, except those of origins in `server.cors`.
import { TorusError } from "../../core/errors.ts";

const MAX_AGE_S = 600;
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const requestHeaders = "authorization, content-type, x-request-id";
const answerHeaders = "x-request-id, x-total-count, retry-after";
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
   * Refuses requests that the page of another site makes a browser send, reads included: a browser asks no permission for
   * simple requests, and may add a password it has kept. Opening an address, as by a link in a mail, is let through.
   * No page can forge or leave out `Origin` and `Sec-Fetch-*`; browsers send the latter to HTTPS and localhost only.
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
      "pages of other sites may use nothing here: name the origin of the page in server.cors",
    );
  }
}

function isOriginOf(origin: string, host: string | null): boolean {
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}

/** A navigation of the whole window: its answer is shown to the person alone. */
function opensPage(headers: Headers): boolean {
  return headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
}
