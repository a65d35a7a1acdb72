// Address of a database on several servers, one of which is the primary: `user@a:5432,b:5432/torus`, as of libpq.
import { invalid } from "../../core/errors.ts";

/** Of `target_session_attrs` (libpq, 34.1.2): the state is written, so that each of them means the primary. */
const targets = ["any", "read-write", "primary"];

/**
 * Splits a list into the addresses of its servers, in order; libpq's `target_session_attrs` is left out of them.
 * @throws TorusError `invalid` for a target that takes no writes
 */
export function listServers(url: string): readonly string[] {
  const [, start = "", hosts = "", rest = ""] = /^([^/]*\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  const [path = "", query] = rest.split("?", 2);
  const params = new URLSearchParams(query);
  const target = params.get("target_session_attrs");
  if (target !== null && !targets.includes(target))
    throw invalid("storage.url", "target_session_attrs must be read-write or primary: the state is written");
  params.delete("target_session_attrs");
  const left = params.size > 0 ? `${path}?${params}` : path;
  const end = target === null ? rest : left;
  return hosts.split(",").map((host) => `${start}${host}${end}`);
}
