// Which addresses belong to this machine or a private network: not for targets that any client may name.
import { readGroups } from "../core/access/ipv6.ts";
import { findEmbedded, isLiteral } from "./address.ts";

/** First octets and how many bits of them count: everything that is not the public Internet. */
const networks: readonly (readonly [number, number, number])[] = [
  [0, 0, 8],
  [10, 0, 8],
  [100, 64, 10],
  [127, 0, 8],
  [169, 254, 16],
  [172, 16, 12],
  [192, 0, 16],
  [192, 168, 16],
  [198, 18, 15],
  [224, 0, 3],
];

/**
 * True where the host of an address says by itself that it is private: a literal address, or `localhost` in any form.
 * Other names are not looked up here.
 */
export function isPrivateHost(host: string): boolean {
  return isLiteral(host) ? isPrivateAddress(host) : /(^|\.)localhost\.?$/i.test(host);
}

/**
 * True for loopback, private, shared, link-local, multicast and reserved addresses, also inside IPv6. An address that
 * cannot be read counts as private; names are not looked up here.
 */
export function isPrivateAddress(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  return bare.includes(":") ? isPrivate6(bare) : isPrivate4(bare);
}

function isPrivate4(text: string): boolean {
  const [first = 0, second = 0] = text.split(".").map(Number);
  const at = first * 256 + second;
  return networks.some(([a, b, bits]) => at >> (16 - bits) === (a * 256 + b) >> (16 - bits));
}

/** Only 2000::/3 is public; an IPv4 address inside counts as itself. */
function isPrivate6(text: string): boolean {
  const groups = readGroups(text);
  if (!groups) return true;
  const embedded = findEmbedded(groups);
  if (embedded.length > 0) return embedded.some(isPrivate4);
  return groups[0]! >> 13 !== 1;
}
