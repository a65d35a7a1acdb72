// Address of a database on several servers, one of which is the primary: `user@a:5432,b:5432/torus`, as of libpq.
import { invalid } from "../errors.ts";

/** Of `target_session_attrs` (libpq, 34.1.2): the state is written, so that each of them means the primary. */
const targets = ["any", "read-write", "primary"];
/** Those that the driver knows (libpq, 34.1.2). */
const tlsModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

interface Parts {
  /** Scheme and user, up to the `@`. */
  readonly start: string;
  readonly hosts: readonly string[];
  readonly path: string;
  readonly query: string | undefined;
}

/**
 * Splits a list into the addresses of its servers, in order; libpq's `target_session_attrs` is left out of them.
 * @throws TorusError `invalid` for a target that takes no writes
 */
export function listServers(url: string): readonly string[] {
  const { start, hosts, path, query } = split(url);
  const params = new URLSearchParams(query);
  const target = params.get("target_session_attrs");
  if (target !== null && !targets.includes(target))
    throw invalid("storage.url", "target_session_attrs must be read-write or primary: the state is written");
  params.delete("target_session_attrs");
  const left = params.size > 0 ? `?${params}` : "";
  const kept = query === undefined ? "" : `?${query}`;
  const end = path + (target === null ? kept : left);
  return hosts.map((host) => `${start}${host}${end}`);
}

/** Hosts and ports as they are written, without user and password, as in `db1:5432, db2:5432`. */
export function describeServers(url: string): string {
  return split(url).hosts.join(", ");
}

/**
 * Checks what the driver would refuse when it connects.
 * @throws TorusError `invalid` that names no part of the address, which may be one of the password
 */
export function checkDatabaseAddress(url: string): void {
  if (!listServers(url).every(isReadable))
    throw invalid(
      "storage.url",
      "cannot be read as an address: check host and port, and write / ? # % of user, password and database as %2F %3F %23 %25",
    );
  const mode = new URLSearchParams(split(url).query).get("sslmode");
  if (mode !== null && !tlsModes.includes(mode))
    throw invalid("storage.url", `sslmode must be one of ${tlsModes.join(", ")}`);
}

function split(url: string): Parts {
  const [, start = "", hosts = "", rest = ""] = /^([^/]*\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  const [path = "", query] = rest.split("?", 2);
  return { start, hosts: hosts.split(","), path, query };
}

/** An `@` after the hosts is that of a user or a password with another separator in it. */
function isReadable(server: string): boolean {
  const parsed = URL.parse(server);
  if (!parsed) return false;
  const { username, password, pathname, search, hash } = parsed;
  return [username, password, pathname].every(isEncoded) && !/@|#/.test(pathname + search + hash);
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
