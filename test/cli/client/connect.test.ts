// Connection: addresses, credentials, TLS, timeouts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { connect, parseAddress } from "../../../src/cli/client/connect.ts";
import { type GlobalValues, globalOptions } from "../../../src/cli/command/options.ts";
import { parseWords } from "../../../src/core/formats/command-line.ts";
import { errorOf } from "../../core/expect.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { run } from "../fake-terminal.ts";

test.each([
  ["localhost", "http://localhost:8077", undefined],
  ["127.0.0.1:9000", "http://127.0.0.1:9000", undefined],
  [":9000", "http://localhost:9000", undefined],
  ["localhost:80", "http://localhost", undefined],
  ["[::1]:9000", "http://[::1]:9000", undefined],
  ["http://torus.example", "http://torus.example", undefined],
  ["https://torus.example/base/", "https://torus.example/base", undefined],
  ["http://ada:p%40ss@torus.example:1", "http://torus.example:1", "ada:p@ss"],
  ["ada:pass@torus.example", "http://torus.example:8077", "ada:pass"],
])("%p is %p with login %p", (address, baseUrl, login) => {
  expect(parseAddress(address)).toEqual({ baseUrl, ...(login && { login }) });
});

test.each(["", "ftp://x", "http://", "http://x?a=1", "a b"])("%p is no address", (address) => {
  expect(errorOf(() => parseAddress(address)).message).toStartWith("--addr: must be an address");
});

test("a bad address is not repeated: it may hold a password", () => {
  expect(errorOf(() => parseAddress("ftp://ada:hunter2@x")).message).not.toContain("hunter2");
  const { code, message } = errorOf(() => parseAddress("http://ada:hunter2%zz@x"));
  expect([code, message]).toEqual(["invalid", expect.stringContaining("percent-encoded")]);
  expect(message).not.toContain("hunter2");
});

test("a timeout of nothing is refused; one that no timer can hold does not end at once", async () => {
  expect(errorOf(() => connect(globalsOf("--timeout", "0s"), {})).message).toStartWith(
    "--timeout: must be longer",
  );
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Bun.sleep(50).then(() => Response.json(1)),
  });
  try {
    const { fetch } = connect(globalsOf("--timeout", "100d"), {});
    expect(await (await fetch(server.url.href, {})).json()).toBe(1);
  } finally {
    await server.stop(true);
  }
});

let dir: string;
beforeAll(() => {
  dir = temporaryFolder();
  writeFileSync(join(dir, "token"), "from-file\n");
});

function globalsOf(...words: string[]): GlobalValues {
  return parseWords(words, { arguments: {}, options: globalOptions }).options;
}

describe("the login", () => {
  const cases: [string, string[], Record<string, string>, string | null][] = [
    ["none", [], {}, null],
    ["of the environment", [], { TORUS_TOKEN: "env" }, "Bearer env"],
    ["of the address", ["-A", "ADDR"], { TORUS_TOKEN: "env" }, `Basic ${btoa("ada:pass")}`],
    ["of the command line", ["-A", "ADDR", "--token", "arg"], {}, "Bearer arg"],
    ["of a file", ["--token", "arg", "--token-file", "FILE"], {}, "Bearer from-file"],
  ];
  test.each(cases)("%s", async (_name, words, env, expected) => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ headers }) => Response.json(headers.get("authorization")),
    });
    try {
      const address = `127.0.0.1:${server.port}`;
      const filled = words.map((word) =>
        word === "ADDR" ? `ada:pass@${address}` : word === "FILE" ? join(dir, "token") : word,
      );
      const { baseUrl, fetch } = connect(globalsOf(...filled), { TORUS_ADDR: address, ...env });
      expect(await (await fetch(baseUrl, {})).json()).toBe(expected);
    } finally {
      await server.stop(true);
    }
  });

  test("must be one word, from a file that is there", () => {
    expect(errorOf(() => connect(globalsOf("--token", "a b"), {})).message).toContain("one word");
    const none = globalsOf("--token-file", join(dir, "none"));
    expect(errorOf(() => connect(none, {})).message).toContain("cannot be read (ENOENT)");
    const empty = join(dir, "empty");
    writeFileSync(empty, "\n");
    const login = globalsOf("--token-file", empty);
    expect(errorOf(() => connect(login, { TORUS_TOKEN: "env" })).message).toContain("empty holds no token");
  });
});

describe("TLS", () => {
  const certificate = makeCertificate();
  const { cert, key } = certificate;
  let server: ReturnType<typeof Bun.serve>;
  beforeAll(() => {
    server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: { cert, key },
      fetch: () => Response.json([]),
    });
  });
  afterAll(() => server.stop(true));
  const list = (...rest: string[]) =>
    run(`list-models -A https://127.0.0.1:${server.port} ${rest.join(" ")}`);

  test("an untrusted certificate is rejected", async () => {
    const { code, err } = await list();
    expect([code, err]).toEqual([5, expect.stringContaining("not trusted: set --ca to its authority")]);
  });

  test("--ca trusts it, --insecure-tls anything", async () => {
    expect((await list("--ca", certificate.certFile)).code).toBe(0);
    expect((await list("--insecure-tls")).code).toBe(0);
  });
});

test("a redirect is not followed: the login is for this server", async () => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(null, { status: 307, headers: { location: "http://127.0.0.1:1/" } }),
  });
  try {
    const { code, err } = await run(`list-models -A 127.0.0.1:${server.port} --token secret`);
    expect([code, err]).toEqual([1, expect.stringContaining("307")]);
  } finally {
    await server.stop(true);
  }
});

test("a lost connection does not cancel the job, and the error says so", async () => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async ({ method }) => {
      if (method === "POST") return Response.json("j1");
      await server.stop(true);
      return new Response();
    },
  });
  const { code, err } = await run(`train-model m --from now-1d -A 127.0.0.1:${server.port}`);
  expect(code).toBe(5);
  expect(err).toMatch(/^torus: http:\/\/127.0.0.1:\d+: /);
  expect(err).toContain("torus: the job continues: torus show-job j1\n");
});

test("a server of another protocol is said to be one", async () => {
  const mail = createServer((socket) => socket.end("220 mail.example.org ESMTP\r\n"));
  await new Promise<void>((resolve) => mail.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(mail.address() as AddressInfo).port}`;
  try {
    const plain = await run(`list-models -A http://${address}`);
    expect([plain.code, plain.err]).toEqual([
      5,
      `torus: http://${address}: it does not speak HTTP: is the address that of a Torus server?\n`,
    ]);
    const secure = await run(`list-models -A https://${address}`);
    expect([secure.code, secure.err]).toEqual([
      5,
      expect.stringContaining("it does not speak TLS on this port"),
    ]);
  } finally {
    mail.close();
  }
});
