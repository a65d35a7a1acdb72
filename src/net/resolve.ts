// From the host of an address to the IP addresses that may be connected to: resolved and checked, so no second lookup can differ.
import { lookup } from "node:dns/promises";
import { isForbiddenAddress, isLiteral } from "./address.ts";
import { isPrivateAddress } from "./private.ts";
import { refuse, type Upstream } from "./refusal.ts";

/** All IP addresses of a name. */
export type Lookup = (host: string) => Promise<readonly string[]>;

const lookupByDns: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export interface ResolveOptions {
  /** For tests; default: the system's resolver. */
  readonly lookup?: Lookup | undefined;
  /** Refuses this machine and private networks too. */
  readonly publicOnly?: boolean | undefined;
}

/**
 * The hosts to try in order, fit for a URL. A name with any address that is refused is refused as a whole.
 * @throws TorusError `forbidden` for such a name, `bucket_unavailable` for one that is not known
 */
export async function resolveHost(
  host: string,
  upstream: Upstream,
  { lookup: find = lookupByDns, publicOnly = false }: ResolveOptions = {},
): Promise<string[]> {
  const literal = isLiteral(host);
  const found = literal ? [host] : await find(host).catch(() => []);
  if (found.length === 0)
    throw refuse(upstream, "bucket_unavailable", "the name is not known; check the address");
  if (found.some(isForbiddenAddress))
    throw refuse(
      upstream,
      "forbidden",
      "the name leads to a link-local or metadata address, which is refused",
    );
  if (publicOnly && found.some(isPrivateAddress))
    throw refuse(upstream, "forbidden", "is in a private network, which the settings do not allow");
  if (literal) return [host];
  // IPv4 first: where a name has both, the older one is the less likely to lead nowhere.
  const order = found.toSorted((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
  return [...new Set(order)].map((address) => (address.includes(":") ? `[${address}]` : address));
}
