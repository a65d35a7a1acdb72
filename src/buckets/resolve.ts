// From the host of an address to the IP addresses that may be connected to: resolved and checked, so no second lookup can differ.
import { lookup } from "node:dns/promises";
import { isForbiddenAddress, isLiteral } from "./address.ts";
import { refuse, type Upstream } from "./refusal.ts";

/** All IP addresses of a name. */
export type Lookup = (host: string) => Promise<readonly string[]>;

const lookupByDns: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The hosts to try in order, fit for a URL. A name with any link-local or metadata address is refused as a whole.
 * @throws TorusError `forbidden` for such a name, `bucket_unavailable` for one that is not known
 */
export async function resolveHost(
  host: string,
  upstream: Upstream,
  find: Lookup = lookupByDns,
): Promise<string[]> {
  if (isLiteral(host)) return [host];
  const found = await find(host).catch(() => []);
  if (found.length === 0)
    throw refuse(upstream, "bucket_unavailable", "the name is not known; check the address");
  if (found.some(isForbiddenAddress))
    throw refuse(
      upstream,
      "forbidden",
      "the name leads to a link-local or metadata address, which is refused",
    );
  // IPv4 first: where a name has both, the older one is the less likely to lead nowhere.
  const order = found.toSorted((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
  return [...new Set(order)].map((address) => (address.includes(":") ? `[${address}]` : address));
}
