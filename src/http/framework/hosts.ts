// Check of the `Host` header against DNS rebinding: without tokens only names of this machine are answered.
import { HOST_RULE, isAddress, isLoopbackName, parseHostName } from "../../core/access/host.ts";
import { invalid, TorusError } from "../../core/errors.ts";

interface HostRules {
  /** Whether tokens are required; then any name is accepted, as a rebinding page has no token. */
  readonly isGuarded: () => boolean;
  /** Listen address; `0.0.0.0` and `::` stand for all addresses of the machine. */
  readonly listenHost: string;
  /** Further names, from `server.allowed_hosts`. */
  readonly allowed: readonly string[];
}

export class Hosts {
  readonly #names: ReadonlySet<string>;
  readonly #anyAddress: boolean;

  constructor(private readonly rules: HostRules) {
    const { listenHost, allowed } = rules;
    this.#names = new Set([listenHost, ...allowed].map((name) => name.toLowerCase()));
    this.#anyAddress = listenHost === "0.0.0.0" || listenHost === "::";
  }

  /**
   * Refuses requests for another server.
   * @throws TorusError `invalid` for a malformed header, `misdirected` for a name of another server
   */
  check({ headers }: Request): void {
    const header = headers.get("host");
    // Internal requests, such as those of scheduled jobs, have none; the HTTP server rejects others without.
    if (header === null) return;
    const name = parseHostName(header);
    if (name === undefined) throw invalid("host", HOST_RULE);
    if (this.rules.isGuarded() || this.#isOurs(name)) return;
    throw new TorusError(
      "misdirected",
      `this server does not answer to the name ${name}: use localhost or an address it listens on, ` +
        "add the name to server.allowed_hosts, or create a token",
    );
  }

  #isOurs(name: string): boolean {
    return isLoopbackName(name) || this.#names.has(name) || (this.#anyAddress && isAddress(name));
  }
}
