// The address of a server as clients write it: parsed once, credentials apart, forbidden networks refused.
import { FormatRegistry, Type } from "@sinclair/typebox";
import { readGroups } from "../core/access/ipv6.ts";
import { invalid } from "../core/errors.ts";

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface Address {
  /** Absent where the client named none. */
  readonly scheme: "http" | "https" | undefined;
  /** Lower case; numeric forms of IPv4 as four decimals, IPv6 compressed and in brackets. */
  readonly host: string;
  /** Absent where the client named none. */
  readonly port: number | undefined;
  /** `""` or `/path` without a slash at its end. */
  readonly path: string;
  /** What stood before an `@`; never to be shown. */
  readonly credentials: Credentials | undefined;
}

const rule =
  "must be host, host:port or http(s)://host:port[/path], special characters of a password percent-encoded; " +
  "link-local and metadata addresses are refused";

/** `[scheme://][user[:password]@]host[:port][/path]`, before the host is normalized. */
const addressText =
  /^(?:(https?):\/\/)?(?:([^\s/?#@:]*)(?::([^\s/?#@]*))?@)?(\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\%]+)(?::(\d{1,5}))?(\/[^\s?#\\]*)?$/i;

/** Addresses of cloud metadata services outside of the link-local networks. */
const metadataAddresses: ReadonlySet<string> = new Set([
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
]);

/**
 * Reads `host`, `host:port`, `http(s)://host:port[/path]`, each with `user:password@` in front of the host if need be.
 * @param path of the setting in error messages
 * @throws TorusError `invalid` for anything else and for link-local and metadata addresses; never with the text
 */
export function parseAddress(text: string, path = "addr"): Address {
  const address = readAddress(text);
  if (!address) throw invalid(path, rule);
  return address;
}

function readAddress(text: string): Address | undefined {
  const match = text.length <= 2048 ? addressText.exec(text.trim()) : null;
  if (!match) return undefined;
  const [, scheme, user = "", password = "", hostText, portText] = match;
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  try {
    // The parser of the platform knows every way to write an IPv4 address: decimal, octal, hexadecimal, short.
    const url = new URL(`http://${hostText}${match[6] ?? ""}`);
    if (isForbiddenAddress(url.hostname)) return undefined;
    return {
      scheme: scheme?.toLowerCase() as Address["scheme"],
      host: url.hostname,
      port,
      path: url.pathname.replace(/\/+$/, ""),
      credentials:
        user || password
          ? { user: decodeURIComponent(user), password: decodeURIComponent(password) }
          : undefined,
    };
  } catch {
    return undefined;
  }
}

/** A setting that holds such an address; checked when the bucket is created. */
export function addressSchema(options: { description: string; examples?: unknown[] }) {
  return Type.String({ format: "bucket-address", rule, ...options });
}

if (!FormatRegistry.Has("bucket-address"))
  FormatRegistry.Set("bucket-address", (text) => readAddress(text) !== undefined);

/** True for literal addresses (with or without brackets, zone ignored), false for names. */
export function isLiteral(host: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) || host.includes(":");
}

/**
 * True for what nobody may ever reach: 169.254.0.0/16, fe80::/10 and known metadata services, also inside IPv6
 * (mapped, compatible, translated, 6to4). Names are not looked up here.
 */
export function isForbiddenAddress(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (!bare.includes(":")) return bare.startsWith("169.254.") || metadataAddresses.has(bare);
  const groups = readGroups(bare);
  // Not readable as an address: better refused than reached.
  if (!groups) return true;
  if ((groups[0]! & 0xffc0) === 0xfe80 || metadataAddresses.has(bare.toLowerCase())) return true;
  return findEmbedded(groups).some(isForbiddenAddress);
}

/** Prefixes that hold an IPv4 address in the last 32 bits: compatible, mapped, translated, NAT64. */
const embeddingPrefixes: ReadonlySet<string> = new Set([
  "0,0,0,0,0,0",
  "0,0,0,0,0,65535",
  "0,0,0,0,65535,0",
  "100,65435,0,0,0,0",
]);

/** Lengths of prefixes in bytes, below which local NAT64 (64:ff9b:1::/48, RFC 8215) may put the address. */
const localNat64Bytes = [6, 7, 8, 12];

/** The IPv4 addresses that may be inside of an IPv6 one: where a network chooses the place, each of them. */
export function findEmbedded(groups: readonly number[]): string[] {
  if (groups[0] === 0x2002) return [readEmbedded(groups, 2)];
  if (embeddingPrefixes.has(groups.slice(0, 6).join())) return [readEmbedded(groups, 12)];
  if (groups[0] !== 0x64 || groups[1] !== 0xff9b || groups[2] !== 1) return [];
  const isLast = groups.slice(3, 6).every((group) => group === 0);
  return (isLast ? [12] : localNat64Bytes).map((at) => readEmbedded(groups, at));
}

/** Four bytes from `at` on; the ninth byte of an address with a shorter prefix is none of them (RFC 6052). */
function readEmbedded(groups: readonly number[], at: number): string {
  const bytes = groups.flatMap((group) => [group >> 8, group & 255]);
  return [0, 1, 2, 3].map((i) => bytes[at + i + Number(at >= 6 && at <= 8 && at + i >= 8)]).join(".");
}
