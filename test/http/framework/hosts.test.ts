// Host names: those of this machine without tokens, any with tokens.
import { describe, expect, test } from "bun:test";
import { Hosts } from "../../../src/http/framework/hosts.ts";
import { createFakeApp, send } from "../../support/fake-app.ts";

interface Server {
  readonly guarded?: boolean;
  readonly listenHost?: string;
  readonly allowed?: readonly string[];
}

async function ask(host: string, { guarded = false, listenHost = "localhost", allowed = [] }: Server = {}) {
  const app = createFakeApp({ hosts: new Hosts({ isGuarded: () => guarded, listenHost, allowed }) });
  const response = await send(app, "GET /models", { headers: { host } });
  return { status: response.status, text: await response.text(), calls: app.calls };
}

const mine: [string, Server][] = [
  ["localhost:8077", {}],
  ["torus.localhost", {}],
  ["127.0.0.1:8077", {}],
  ["[::1]:8077", {}],
  ["box:8077", { listenHost: "box" }],
  ["Box", { listenHost: "box" }],
  ["192.168.1.5:8077", { listenHost: "192.168.1.5" }],
  ["192.168.1.5:8077", { listenHost: "0.0.0.0" }],
  ["[fd00::5]:8077", { listenHost: "::" }],
  ["torus.example.org", { allowed: ["torus.example.org"] }],
  ["evil.test", { guarded: true }],
];
test.each(mine)("%s is answered: %j", async (host, server) => {
  expect((await ask(host, server)).status).toBe(200);
});

describe("a page that rebinds its name reads and changes nothing", () => {
  const foreign: [string, Server][] = [
    ["evil.test:8077", {}],
    ["localhost.evil.test", {}],
    ["192.168.1.5:8077", {}],
    ["evil.test:8077", { listenHost: "0.0.0.0" }],
    ["evil.test", { allowed: ["torus.example.org"] }],
  ];
  test.each(foreign)("%s is answered 421: %j", async (host, server) => {
    const { status, text, calls } = await ask(host, server);
    expect([status, calls]).toEqual([421, []]);
    for (const way of ["localhost", "server.allowed_hosts", "token"]) expect(text).toContain(way);
  });
});

test.each([
  "a/b",
  "x?",
  "user@h",
  "a b",
  "a, b",
  "",
])("a malformed host %p is a 400, with tokens too", async (host) => {
  for (const guarded of [false, true]) {
    const { status, text, calls } = await ask(host, { guarded });
    expect([status, calls]).toEqual([400, []]);
    expect(text).toContain("host: must be one host name or address");
  }
});
