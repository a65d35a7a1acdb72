// Private and reserved networks, which a target that any client may name must not reach.
import { BlockList, isIP } from "node:net";
import { findEmbedded, isLiteral, withoutZone } from "./address.ts";

/** IPv4 networks outside of the public Internet. */
const privateIpv4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 16],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  privateIpv4.addSubnet(network, bits, "ipv4");

const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");

/** Whether a host is a private literal address or `localhost` in any form. Other names are not resolved here. */
export function isPrivateHost(host: string): boolean {
  return isLiteral(host) ? isPrivateAddress(host) : /(^|\.)localhost\.?$/i.test(host);
}

/**
 * Whether an address is loopback, private, shared, link-local, multicast or reserved; an IPv4 address inside an IPv6
 * one decides for it. Text that is not an address counts as private.
 */
export function isPrivateAddress(host: string): boolean {
  const address = withoutZone(host);
  const version = isIP(address);
  if (version === 4) return privateIpv4.check(address, "ipv4");
  if (version === 0) return true;
  const embedded = findEmbedded(address);
  if (embedded.length > 0) return embedded.some((ipv4) => privateIpv4.check(ipv4, "ipv4"));
  return !publicIpv6.check(address, "ipv6");
}
