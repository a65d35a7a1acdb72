// Server addresses: accepted forms, rejected forms, forbidden networks.
import { describe, expect, test } from "bun:test";
import { checkBucket, viewBucket } from "../../src/buckets/index.ts";
import { isForbiddenAddress, parseAddress } from "../../src/net/address.ts";
import { errorOf } from "../core/expect.ts";

const none = { scheme: undefined, port: undefined, path: "", credentials: undefined };

describe("parseAddress", () => {
  test.each([
    ["localhost", { ...none, host: "localhost" }],
    ["  LocalHost:8086 ", { ...none, host: "localhost", port: 8086 }],
    ["host:80", { ...none, host: "host", port: 80 }],
    ["my_db.example.com:1", { ...none, host: "my_db.example.com", port: 1 }],
    ["127.0.0.1:65535", { ...none, host: "127.0.0.1", port: 65_535 }],
    ["2130706433", { ...none, host: "127.0.0.1" }],
    ["[::1]:8086", { ...none, host: "[::1]", port: 8086 }],
    ["[2001:DB8:0:0::1]", { ...none, host: "[2001:db8::1]" }],
    ["http://host", { ...none, scheme: "http", host: "host" }],
    ["http://host:80/", { ...none, scheme: "http", host: "host", port: 80 }],
    ["HTTPS://Host:8086/influx/", { ...none, scheme: "https", host: "host", port: 8086, path: "/influx" }],
    ["host/a/../b", { ...none, host: "host", path: "/b" }],
    ["http://host/a@b", { ...none, scheme: "http", host: "host", path: "/a@b" }],
    ["u:p@host:1", { ...none, host: "host", port: 1, credentials: { user: "u", password: "p" } }],
    ["http://u@host", { ...none, scheme: "http", host: "host", credentials: { user: "u", password: "" } }],
    [
      "https://us%40er:p%2F%3A:x@[::1]:2/x",
      {
        scheme: "https",
        host: "[::1]",
        port: 2,
        path: "/x",
        credentials: { user: "us@er", password: "p/::x" },
      },
    ],
    ["http://@host", { ...none, scheme: "http", host: "host" }],
  ] as const)("%p", (text, expected) => expect(parseAddress(text)).toEqual(expected));

  const marker = "MARKER-3fa";
  test.each([
    "",
    " ",
    ":8086",
    "host:",
    "host:0",
    "host:65536",
    "host:99999",
    "host:port",
    "host:1:2",
    "a b",
    "ftp://host",
    "http://",
    "http:///path",
    "http://host?q=1",
    "http://host/x#y",
    "host\\evil",
    "host\r\nX: y",
    "[::1",
    "[::1%25eth0]",
    "[zz]",
    "::1",
    "1.2.3.256",
    `http://u:${marker}/x@host`,
    `u:${marker}#@host`,
    `http://u:${marker}@ho st`,
    `http://u:${marker}%@host`,
    "x".repeat(3000),
  ])("%p is refused, and not repeated", (text) => {
    const error = errorOf(() => parseAddress(text));
    expect(error).toMatchObject({ code: "invalid", details: { path: "addr" } });
    expect(error.message).not.toContain(marker);
  });

  test.each([
    "169.254.169.254",
    "169.254.0.1:80",
    "http://169.254.169.254/latest/meta-data",
    "2852039166",
    "0xa9fea9fe",
    "0xA9.0xFE.0xA9.0xFE",
    "0251.0376.0251.0376",
    "169.254.43518",
    "169.16689662",
    "169.254.169.254.",
    "１６９.254.169.254",
    "169。254。169。254",
    "[fe80::1]",
    "[FEBF::1]:8086",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[0:0:0:0:0:FFFF:A9FE:A9FE]",
    "[::169.254.169.254]",
    "[::ffff:0:169.254.169.254]",
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b:1::169.254.169.254]",
    "[64:ff9b:1:a9fe:a9:fe00::]",
    "[64:ff9b:1:5:a9:fea9:fe00:0]",
    "[2002:a9fe:a9fe::1]",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "[fd00:ec2::254]",
    "[fd00:0ec2:0::0254]",
    "u:p@169.254.169.254",
  ])("%p leads to a link-local or metadata address", (text) => {
    expect(errorOf(() => parseAddress(text))).toMatchObject({ code: "invalid" });
  });
});

describe("isForbiddenAddress", () => {
  test.each([
    "169.254.1.1",
    "fe80::1%eth0",
    "::ffff:169.254.1.1",
    "fe80:0000:0000:0000:0000:0000:0000:0001",
    "not:an:address",
  ])("%p", (address) => expect(isForbiddenAddress(address)).toBe(true));

  test.each([
    "127.0.0.1",
    "10.0.0.1",
    "192.168.1.1",
    "169.253.255.255",
    "1.169.254.1",
    "::1",
    "fec0::1",
    "fd00::1",
    "::ffff:10.0.0.1",
    "2001:db8::a9fe:a9fe",
    "2002:a00:1::a9fe:a9fe",
  ])("not %p", (address) => expect(isForbiddenAddress(address)).toBe(false));
});

describe("in the settings of a bucket", () => {
  const bucket = { name: "b", type: "influxdb", addr: "localhost:8086", database: "d", measurement: "m" };

  test("all settings, those of older clients too", () => {
    const all = {
      ...bucket,
      retention_policy: "rp",
      create_database: false,
      dbuser: "u",
      dbuser_password: "p",
      username: "",
      password: "",
      token: "t",
      use_ssl: true,
      verify_ssl: true,
      ca_certs: "/ca.pem",
      client_cert: "/c.pem",
      client_key: "/k.pem",
      timeout: "1m",
      annotation_db: "notes",
      max_series_per_request: 10,
    };
    expect(checkBucket(all)).toEqual(all as never);
    const { dbuser, dbuser_password, username, password, token, client_key, ...shown } = all;
    expect(viewBucket(checkBucket(all))).toEqual(shown);
  });

  test.each([
    ["addr", "169.254.169.254"],
    ["addr", "http://u:MARKER@host?x"],
    ["database", ""],
    ["database", "a\nb"],
    ["measurement", "x".repeat(257)],
    ["timeout", "soon"],
    ["dbuser", 5],
  ])("%s: %p is refused at creation", (key, value) => {
    const error = errorOf(() => checkBucket({ ...bucket, [key]: value }));
    expect(error).toMatchObject({ code: "invalid", details: { path: key } });
    expect(error.message).not.toContain("MARKER");
  });

  test.each(["addr", "database", "measurement"])("%s is required", (key) => {
    expect(errorOf(() => checkBucket({ ...bucket, [key]: undefined })).details.path).toBe(key);
  });
});
