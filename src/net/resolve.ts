// DNS resolution with checks: requests connect to the checked addresses, so that no second lookup can differ.
import { lookup } from "node:dns/promises";
import { isForbiddenAddress, isLiteral } from "./address.ts";
import { isPrivateAddress } from "./private.ts";
import { type Upstream, upstreamError } from "./refusal.ts";

/** All IP addresses of a name. */
type Lookup = (host: string) => Promise<readonly string[]>;

const lookupByDns: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export interface ResolveOptions {
  /** Replaces the resolver of the system, in tests. */
  readonly lookup?: Lookup | undefined;
  /** Also refuses this machine and private networks. */
  readonly publicOnly?: boolean | undefined;
}

/**
 * Resolves a host. A name with one refused address is refused as a whole.
 * @returns hosts for a URL, in the order to try
 * @throws TorusError `forbidden` for a refused name, `bucket_unavailable` for an unknown one
 */
export async function resolveHost(
  host: string,
  upstream: Upstream,
  { lookup: find = lookupByDns, publicOnly = false }: ResolveOptions = {},
): Promise<string[]> {
  const literal = isLiteral(host);
  const found = literal ? [host] : await find(host).catch(() => []);
  if (found.length === 0)
    throw upstreamError(upstream, "bucket_unavailable", "the name is not known; check the address");
  if (found.some(isForbiddenAddress))
    throw upstreamError(
      upstream,
      "forbidden",
      "the name leads to a link-local or metadata address, which is refused",
    );
  if (publicOnly && found.some(isPrivateAddress))
    throw upstreamError(upstream, "forbidden", "is in a private network, which the settings do not allow");
  if (literal) return [host];
  // IPv4 first: of a name with both, it is less likely to be unreachable.
  const order = found.toSorted((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
  return [...new Set(order)].map((address) => (address.includes(":") ? `[${address}]` : address));
}
