// Server addresses of settings: parsing, separation of credentials, forbidden networks.
import { BlockList, isIP } from "node:net";
import { FormatRegistry, Type } from "@sinclair/typebox";
import { ipv6Groups } from "../core/access/host.ts";
import { invalid } from "../core/errors.ts";

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface Address {
  /** Absent if not given. */
  readonly scheme: "http" | "https" | undefined;
  /** Lower case; numeric forms of IPv4 as four decimals, IPv6 compressed and in brackets. */
  readonly host: string;
  /** Absent if not given. */
  readonly port: number | undefined;
  /** `""` or `/path` without a slash at its end. */
  readonly path: string;
  /** User information of the address; never shown. */
  readonly credentials: Credentials | undefined;
}

const rule =
  "must be host, host:port or http(s)://host:port[/path], special characters of a password percent-encoded; " +
  "link-local and metadata addresses are refused";

/** `[scheme://][user[:password]@]host[:port][/path]`, before the host is normalized. */
const addressText =
  /^(?:(https?):\/\/)?(?:([^\s/?#@:]*)(?::([^\s/?#@]*))?@)?(\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\%]+)(?::(\d{1,5}))?(\/[^\s?#\\]*)?$/i;

/** Link-local networks, and metadata services of clouds outside of them. */
const forbidden = new BlockList();
forbidden.addSubnet("169.254.0.0", 16, "ipv4");
forbidden.addSubnet("fe80::", 10, "ipv6");
for (const address of ["100.100.100.200", "168.63.129.16", "192.0.0.192"])
  forbidden.addAddress(address, "ipv4");
forbidden.addAddress("fd00:ec2::254", "ipv6");

/**
 * Parses `host`, `host:port` or `http(s)://host:port[/path]`, each optionally with `user:password@` before the host.
 * @param path of the setting in error messages
 * @throws TorusError `invalid` for anything else and for link-local and metadata addresses; never contains the text
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
    // The URL parser normalises every form of an IPv4 address: decimal, octal, hexadecimal, short.
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

/** Schema of an address setting; checked when the bucket is created. */
export function addressSchema(options: { description: string; examples?: unknown[] }) {
  return Type.String({ format: "bucket-address", rule, ...options });
}

if (!FormatRegistry.Has("bucket-address"))
  FormatRegistry.Set("bucket-address", (text) => readAddress(text) !== undefined);

/** Whether a host is an address (with or without brackets and zone) and not a name. */
export function isLiteral(host: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) || host.includes(":");
}

/** An address without brackets and zone. */
export function withoutZone(host: string): string {
  return host.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
}

/**
 * Whether an address is link-local (169.254.0.0/16, fe80::/10) or a known metadata service, also as IPv4 inside IPv6
 * (mapped, compatible, translated, NAT64, 6to4). Names are not resolved here; malformed IPv6 is forbidden.
 */
export function isForbiddenAddress(host: string): boolean {
  const address = withoutZone(host);
  const version = isIP(address);
  if (version === 0) return address.includes(":");
  if (version === 4) return forbidden.check(address, "ipv4");
  return (
    forbidden.check(address, "ipv6") || findEmbedded(address).some((ipv4) => forbidden.check(ipv4, "ipv4"))
  );
}

/** Networks of IPv6 addresses with an IPv4 address inside, and the byte it begins at; the first match counts. */
const embeddings = (
  [
    // 6to4 (RFC 3056).
    ["2002::", 16, [2]],
    // IPv4-compatible, mapped, translated (RFC 4291, RFC 2765), NAT64 (RFC 6052).
    ["::", 96, [12]],
    ["::ffff:0:0", 96, [12]],
    ["::ffff:0:0:0", 96, [12]],
    ["64:ff9b::", 96, [12]],
    // Local NAT64 (RFC 8215): the network chooses the length of the prefix, so every place counts.
    ["64:ff9b:1::", 96, [12]],
    ["64:ff9b:1::", 48, [6, 7, 8, 12]],
  ] as const
).map(([network, bits, places]) => ({ network: subnet(network, bits), places }));

function subnet(network: string, bits: number): BlockList {
  const list = new BlockList();
  list.addSubnet(network, bits, "ipv6");
  return list;
}

/** The IPv4 addresses that an IPv6 one may embed. `BlockList` finds mapped ones only, so the bytes are read here. */
export function findEmbedded(address: string): string[] {
  const match = embeddings.find(({ network }) => network.check(address, "ipv6"));
  const groups = match && ipv6Groups(address);
  if (!groups) return [];
  const bytes = groups.flatMap((group) => [group >> 8, group & 255]);
  return match.places.map((start) => readEmbedded(bytes, start));
}

/** Four bytes from `start`; byte 8 is skipped by prefixes that end before it (RFC 6052, section 2.2). */
function readEmbedded(bytes: readonly number[], start: number): string {
  const places = [0, 1, 2, 3].map((i) =>
    start >= 6 && start <= 8 && start + i >= 8 ? start + i + 1 : start + i,
  );
  return places.map((place) => bytes[place]).join(".");
}
