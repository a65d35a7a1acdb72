// Rate limit on failures: windows per address, and bounded memory.
import { expect, test } from "bun:test";
import { FailureLimit, keyOfAddress } from "../../../src/core/access/failure-limit.ts";

const limits = { failures: 3, windowMs: 60_000, addresses: 100 };

test("after so many failures an address waits for the end of its window", () => {
  const limit = new FailureLimit(limits);
  expect(limit.waitMs("a", 0)).toBe(0);
  for (let i = 0; i < 3; i++) {
    expect(limit.waitMs("a", 1000 * i)).toBe(0);
    limit.record("a", 1000 * i);
  }
  expect(limit.waitMs("a", 3000)).toBe(57_000);
  expect(limit.waitMs("b", 3000)).toBe(0);
  expect(limit.waitMs("a", 59_999)).toBe(1);
  expect(limit.waitMs("a", 60_000)).toBe(0);
  limit.record("a", 60_000);
  expect(limit.waitMs("a", 60_001)).toBe(0);
});

test("a clock that goes back ends the window", () => {
  const limit = new FailureLimit(limits);
  for (let i = 0; i < 3; i++) limit.record("a", 1e9);
  expect(limit.waitMs("a", 1e9)).toBe(60_000);
  expect(limit.waitMs("a", 1e9 - 3_600_000)).toBe(0);
});

test("a million addresses use the memory of a hundred; recent failures still count", () => {
  const limit = new FailureLimit(limits);
  for (let i = 0; i < 1_000_000; i++) limit.record(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 0);
  expect(limit.size).toBe(100);
  for (let i = 0; i < 3; i++) limit.record("192.0.2.1", 0);
  expect(limit.waitMs("192.0.2.1", 0)).toBe(60_000);
  expect(limit.size).toBe(100);
});

test("failures of all addresses of an IPv6 /64 count together", () => {
  const limit = new FailureLimit(limits);
  for (let i = 1; i <= 3; i++) limit.record(`2001:db8:1:2::${i}`, 0);
  expect(limit.waitMs("2001:db8:1:2::99", 0)).toBe(60_000);
  expect(limit.waitMs("2001:db8:1:3::1", 0)).toBe(0);
  expect(limit.size).toBe(1);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["unknown", "unknown"],
])("%s counts as %s", (address, key) => expect(keyOfAddress(address)).toBe(key));
