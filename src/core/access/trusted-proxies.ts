// Client address behind trusted proxies: the nearest address that is not a trusted proxy.
import { BlockList, isIP } from "node:net";

/** The addresses of one network; IPv4-mapped IPv6 addresses count as IPv4. */
export type Network = BlockList;

export const NETWORK_RULE = "must be an IP address, or a network with 1 or more bits, as in 10.0.0.0/8";

/**
 * Reads `192.0.2.1`, `10.0.0.0/8` or `fd00::/8`.
 * @returns undefined for anything else, and for a prefix of 0 bits, which would trust every client
 */
export function readNetwork(text: string): Network | undefined {
  const [address = "", bitsText, ...rest] = text.split("/");
  const family = familyOf(address);
  if (!family || rest.length > 0) return undefined;
  const maxBits = family === "ipv6" ? 128 : 32;
  const bits = bitsText === undefined ? maxBits : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : 0;
  if (bits < 1 || bits > maxBits) return undefined;
  const network = new BlockList();
  network.addSubnet(address, bits, family);
  return network;
}

/**
 * The client of a request. Each proxy appends the address it received the request from, so the header is read from
 * its end, as far as trusted proxies wrote it; the client may have forged the rest.
 * @param peer remote address of the connection
 * @param forwardedFor the `X-Forwarded-For` header
 */
export function findClient(peer: string, forwardedFor: string | null, trusted: readonly Network[]): string {
  const hops = forwardedFor?.split(",") ?? [];
  let client = peer;
  while (isWithin(client, trusted)) {
    const previous = readHop(hops.pop() ?? "");
    if (previous === undefined) break;
    client = previous;
  }
  return client;
}

function isWithin(address: string, networks: readonly Network[]): boolean {
  const family = familyOf(address);
  return family !== undefined && networks.some((network) => network.check(address, family));
}

/** One entry of the header without its port; undefined if it is not an address. */
function readHop(text: string): string | undefined {
  const hop = text.trim();
  const address = /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
  return familyOf(address) ? address : undefined;
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 6 ? "ipv6" : "ipv4";
}
