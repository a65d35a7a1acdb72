// Who sends a request that proxies have passed on: the nearest address that is not one of the proxies trusted.
import { readGroups } from "./ipv6.ts";

/** A range of addresses; IPv4 as its form inside of IPv6. */
export interface Network {
  readonly first: bigint;
  /** Bits that do not count, 0 for one address. */
  readonly hostBits: bigint;
}

export const NETWORK_RULE = "must be an IP address, or a network with 1 or more bits, as in 10.0.0.0/8";

/** Reads `192.0.2.1`, `10.0.0.0/8`, `fd00::/8`; undefined for anything else, and for a network that is everybody. */
export function readNetwork(text: string): Network | undefined {
  const [address = "", bitsText, ...rest] = text.split("/");
  const value = readAddress(address);
  if (value === undefined || rest.length > 0) return undefined;
  const most = address.includes(":") ? 128 : 32;
  const bits = bitsText === undefined ? most : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : 0;
  if (bits < 1 || bits > most) return undefined;
  const hostBits = BigInt(most - bits);
  return { first: value >> hostBits, hostBits };
}

/**
 * The address that answers for a request.
 * @param peer the other end of the connection
 * @param forwardedFor the header `X-Forwarded-For`: each proxy adds whom it heard from, so its end is believed as far
 * as trusted proxies wrote it, and its beginning is whatever the client made up
 */
export function findClient(peer: string, forwardedFor: string | null, trusted: readonly Network[]): string {
  const hops = forwardedFor?.split(",") ?? [];
  let client = peer;
  while (isWithin(client, trusted)) {
    const before = readHop(hops.pop() ?? "");
    if (before === undefined) break;
    client = before;
  }
  return client;
}

function isWithin(address: string, networks: readonly Network[]): boolean {
  const value = networks.length > 0 ? readAddress(address) : undefined;
  if (value === undefined) return false;
  return networks.some(({ first, hostBits }) => value >> hostBits === first);
}

/** One entry of the header, its port left out; undefined where it is no address. */
function readHop(text: string): string | undefined {
  const hop = text.trim();
  const address = /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
  return readAddress(address) === undefined ? undefined : address;
}

/** 128 bits. */
function readAddress(text: string): bigint | undefined {
  const bare = text.split("%")[0]!;
  if (bare.includes(":")) return readIpv6(bare);
  const octets = bare.split(".");
  const isIpv4 =
    octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && +octet < 256);
  return isIpv4 ? (0xffffn << 32n) | joinBits(octets.map(Number), 8n) : undefined;
}

function readIpv6(text: string): bigint | undefined {
  const groups = /^[\da-f:.]+$/i.test(text) ? readGroups(text) : undefined;
  return groups && joinBits(groups, 16n);
}

function joinBits(groups: readonly number[], width: bigint): bigint {
  return groups.reduce((value, group) => (value << width) | BigInt(group), 0n);
}
