// Private and public addresses.
import { expect, test } from "bun:test";
import { isPrivateAddress, isPrivateHost } from "../../src/net/private.ts";

test.each([
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.0.1",
  "169.254.1.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "192.0.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::1",
  "[::1]",
  "::",
  "fe80::1%eth0",
  "fc00::1",
  "fdff::1",
  "ff02::1",
  "::ffff:10.0.0.1",
  "::ffff:7f00:1",
  "64:ff9b::c0a8:1",
  "64:ff9b:1::7f00:1",
  "2002:a00:1::",
  "nonsense:::",
])("%s is private", (address) => expect(isPrivateAddress(address)).toBe(true));

test.each([
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.0.0.1",
  "128.0.0.1",
  "172.15.255.255",
  "172.32.0.0",
  "192.1.0.0",
  "192.167.0.0",
  "192.169.0.0",
  "198.17.0.0",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700::1111",
  "[2a00:1450::1]",
  "::ffff:1.1.1.1",
  "64:ff9b::101:101",
  "64:ff9b:1::101:101",
])("%s is public", (address) => expect(isPrivateAddress(address)).toBe(false));

test.each([
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "127.0.0.1",
  "[::1]",
])("%s says by itself that it is private", (host) => expect(isPrivateHost(host)).toBe(true));

test.each([
  "localhost.example.org",
  "notlocalhost",
  "10.example.org",
  "intranet",
  "1.1.1.1",
  "[2606:4700::1]",
])("%s does not", (host) => expect(isPrivateHost(host)).toBe(false));
