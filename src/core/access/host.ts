// Host names and addresses: syntax of the `Host` header (RFC 9110, section 7.2), loopback names, IPv6 groups.
import { BlockList, isIP } from "node:net";

/** A name, an IPv4 address or an IPv6 address in brackets, then an optional port. */
const authority = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?)(?::(\d{1,5}))?$/i;

export const HOST_RULE = "must be one host name or address, with a port where it is not the default";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/**
 * Reads a `Host` header; two of them arrive joined by a comma.
 * @returns the name in lower case, without port, brackets and final dot; undefined where the header is malformed
 */
export function parseHostName(header: string): string | undefined {
  const match = authority.exec(header);
  if (!match || Number(match[2] ?? 0) > 65_535) return undefined;
  const name = match[1]!.toLowerCase();
  if (!name.startsWith("[")) return name.replace(/\.$/, "");
  const address = name.slice(1, -1);
  return isIP(address) === 6 ? address : undefined;
}

/** Whether a name means this machine, regardless of DNS (RFC 6761, section 6.3). */
export function isLoopbackName(name: string): boolean {
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const version = isIP(name);
  return version !== 0 && loopback.check(name, version === 6 ? "ipv6" : "ipv4");
}

/** Whether a name is an IP address, which DNS rebinding cannot redirect. */
export function isAddress(name: string): boolean {
  return isIP(name) !== 0;
}

/** The eight 16-bit groups of an IPv6 address without a zone; undefined if it is not one. */
export function ipv6Groups(address: string): number[] | undefined {
  if (isIP(address) !== 6) return undefined;
  // The URL parser writes every form as hexadecimal groups with at most one `::`.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const read = (part: string) => (part ? part.split(":").map((group) => Number.parseInt(group, 16)) : []);
  if (tail === undefined) return read(head);
  const [before, after] = [read(head), read(tail)];
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
