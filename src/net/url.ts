// URLs of settings: an address with path and query.
import { type Address, parseAddress } from "./address.ts";

interface Url {
  readonly address: Address;
  /** Path and query. */
  readonly path: string;
}

/** @returns undefined for anything but `http(s)://host[:port][/path][?query]`, and for forbidden addresses */
export function readUrl(text: string): Url | undefined {
  if (!/^https?:\/\//i.test(text) || /[\s\\\p{Cc}]/u.test(text)) return undefined;
  try {
    const { origin, protocol, host, username, password, pathname, search, hash } = new URL(text);
    if (hash !== "" || origin === "null") return undefined;
    const user = username || password ? `${username}:${password}@` : "";
    return { address: parseAddress(`${protocol}//${user}${host}`), path: `${pathname}${search}` };
  } catch {
    return undefined;
  }
}
