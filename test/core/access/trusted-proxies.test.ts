// Trusted proxies: the client address, and forged headers.
import { describe, expect, test } from "bun:test";
import { findClient, readNetwork } from "../../../src/core/access/trusted-proxies.ts";

const trust = (...texts: string[]) => texts.map((text) => readNetwork(text)!);
const near = trust("10.0.0.0/8", "127.0.0.1", "fd00::/8");

describe("networks", () => {
  test.each([
    "127.0.0.1",
    "10.0.0.0/8",
    "192.0.2.1/32",
    "128.0.0.0/1",
    "::1",
    "fd00::/8",
    "::ffff:10.0.0.0/104",
  ])("%s is one", (text) => expect(readNetwork(text)).toBeDefined());

  test.each([
    "",
    "localhost",
    "10.0.0",
    "10.0.0.0.0",
    "256.0.0.1",
    "010.0.0.1",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "0.0.0.0/0",
    "::/0",
    "fd00::/129",
    "fd00::g",
    "[::1]",
    "1:2:3",
    "http://10.0.0.1",
  ])("%p is none", (text) => expect(readNetwork(text)).toBeUndefined());
});

describe("the client", () => {
  test.each([
    ["no trusted proxies", "10.0.0.1", "192.0.2.1", [], "10.0.0.1"],
    ["the header of an untrusted peer is ignored", "198.51.100.7", "192.0.2.1", near, "198.51.100.7"],
    ["without a header it is the proxy", "10.0.0.1", null, near, "10.0.0.1"],
    ["one proxy", "10.0.0.1", "192.0.2.1", near, "192.0.2.1"],
    [
      "what the client made up comes first and counts for nothing",
      "10.0.0.1",
      "1.2.3.4, 192.0.2.1",
      near,
      "192.0.2.1",
    ],
    ["nor does a trusted address it made up", "10.0.0.1", "10.9.9.9, 192.0.2.1", near, "192.0.2.1"],
    ["proxies in a row", "127.0.0.1", "1.2.3.4, 192.0.2.1,10.0.0.2", near, "192.0.2.1"],
    ["only proxies: the farthest", "127.0.0.1", "10.0.0.3, 10.0.0.2", near, "10.0.0.3"],
    ["what cannot be read ends it", "127.0.0.1", "192.0.2.1, garbage, 10.0.0.2", near, "10.0.0.2"],
    ["an empty entry ends it", "10.0.0.1", "192.0.2.1,", near, "10.0.0.1"],
    ["with a port", "10.0.0.1", "192.0.2.1:4711", near, "192.0.2.1"],
    ["IPv6 with a port", "10.0.0.1", "[2001:db8::1]:4711", near, "2001:db8::1"],
    ["IPv6 in a network", "fd12::1", "2001:db8::1", near, "2001:db8::1"],
    ["IPv6 out of it", "fe12::1", "2001:db8::1", near, "fe12::1"],
    ["IPv4 as a socket for both shows it", "::ffff:10.0.0.1", "192.0.2.1", near, "192.0.2.1"],
    ["the end of the network", "10.255.255.255", "192.0.2.1", near, "192.0.2.1"],
    ["and beyond", "11.0.0.0", "192.0.2.1", near, "11.0.0.0"],
    ["an end that is no address", "unknown", "192.0.2.1", near, "unknown"],
  ] as const)("%s", (_what, peer, header, networks, client) =>
    expect(findClient(peer, header, networks)).toBe(client));
});
