// Settings of security: token digests, certificates checked before the start, exact origins.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file has such variables
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../src/core/access/token.ts";
import { readSettings } from "../../src/settings/load.ts";
import { errorOf } from "../core/expect.ts";
import { makeCertificate } from "../support/certificate.ts";
import { temporaryFolder } from "../support/folder.ts";

const [one, other] = [makeCertificate(), makeCertificate()];
const dir = temporaryFolder();
const write = (name: string, text: string) => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const [cert, key] = [one.certFile, write("key.pem", one.key)];

interface Given {
  readonly file?: string;
  readonly env?: Record<string, string>;
  readonly argv?: string[];
  readonly exposed?: readonly string[];
}

function read({ file = "", env = {}, argv = [], exposed = [] }: Given) {
  const { settings } = readSettings({
    argv: ["--config", "f", ...argv],
    env: { HOME: "/ada", ...env },
    readFile: (path) => (path === "f" ? file : readFileSync(path, "utf8")),
    isExposed: (path) => exposed.includes(path),
  });
  return settings.security;
}

const secret = "s3cret-of-at-least-20";

describe("tokens", () => {
  test("are read from variables, and only their digests are kept", () => {
    const file = 'server.auth: {required: yes, tokens: [{name: ops, scope: admin, token: "${T}"}]}';
    const security = read({ file, env: { T: secret } });
    const tokens = [{ name: "ops", scope: "admin", digest: digestOf(secret) }];
    expect(security.auth as unknown).toEqual({ required: true, tokens, insecure: false });
    expect(JSON.stringify(security)).not.toContain(secret);
  });

  const token = `{name: a, scope: read, token: ${secret}}`;
  const cases: [string, tokens: string, path: string, rule: string][] = [
    ["too short", "[{name: a, scope: read, token: hunter2}]", ".0.token", "20 to 512"],
    ["an unknown scope", `[{name: a, scope: root, token: ${secret}}]`, ".0.scope", "read, run"],
    ["no name", `[{scope: read, token: ${secret}}]`, ".0.name", "required"],
    ["a slip", `[{name: a, scope: read, scop: read, token: ${secret}}]`, ".0.scop", "did you mean scope?"],
    ["one name twice", `[${token}, {name: a, scope: read, token: x${secret}}]`, ".1.name", "twice"],
    ["one secret twice", `[${token}, {name: b, scope: read, token: ${secret}}]`, ".1.token", "differ"],
    ["a text", "secret-secret-secret-secret", "", "list of tokens"],
  ];
  test.each(cases)("%s is refused without being shown", (_name, tokens, path, rule) => {
    const error = errorOf(() => read({ file: `server.auth: {tokens: ${tokens}}` }));
    expect(error.details.path).toBe(`server.auth.tokens${path}`);
    expect(error.message).toContain(rule);
    for (const text of [secret, "hunter2", "secret-secret"]) expect(error.message).not.toContain(text);
  });
});

describe("the certificate", () => {
  test("and its key are read at the start", () => {
    const file = `server.tls: {cert: ${cert}, key: ${key}}`;
    expect(read({ file }).tls).toEqual({ cert: one.cert, key: one.key });
    const env = { TORUS_SERVER_TLS_CERT: cert, TORUS_SERVER_TLS_KEY: key };
    expect(read({ env }).tls).toEqual({ cert: one.cert, key: one.key });
    expect(read({}).tls).toBeUndefined();
  });

  test("may have a key under a passphrase", () => {
    const { exitCode } = Bun.spawnSync([
      ...[
        "openssl",
        "rsa",
        "-aes256",
        "-passout",
        "pass:hunter2",
        "-in",
        key,
        "-out",
        join(dir, "sealed.pem"),
      ],
    ]);
    expect(exitCode).toBe(0);
    const file = `server.tls: {cert: ${cert}, key: ${join(dir, "sealed.pem")}, passphrase: "\${P}"}`;
    expect(read({ file, env: { P: "hunter2" } }).tls).toMatchObject({ passphrase: "hunter2" });
    const wrong = errorOf(() => read({ file, env: { P: "hunter3" } }));
    expect(wrong.message).toContain("that server.tls.passphrase opens");
    expect(wrong.message).not.toContain("hunter3");
    const none = errorOf(() =>
      read({ file: `server.tls: {cert: ${cert}, key: ${join(dir, "sealed.pem")}}` }),
    );
    expect(none.message).toContain("needs server.tls.passphrase");
  });

  const cases: [string, tls: string, path: string, rule: string][] = [
    ["without a key", `cert: ${cert}`, "key", "go together"],
    ["without a certificate", `key: ${key}`, "cert", "go together"],
    ["that is not there", `cert: ${dir}/none, key: ${key}`, "cert", `${dir}/none cannot be read`],
    ["whose key is not there", `cert: ${cert}, key: ${dir}/none`, "key", `${dir}/none`],
    ["that is none", `cert: ${key}, key: ${key}`, "cert", `${key} holds no certificate`],
    ["whose key is none", `cert: ${cert}, key: ${cert}`, "key", `${cert} holds no private key`],
    [
      "with another's key",
      `cert: ${cert}, key: ${write("other.pem", other.key)}`,
      "key",
      `is not the key of the certificate in ${cert}`,
    ],
  ];
  test.each(cases)("%s is refused, naming setting and file", (_name, tls, path, rule) => {
    const error = errorOf(() => read({ file: `server.tls: {${tls}}` }));
    expect([error.code, error.details.path]).toEqual(["invalid", `server.tls.${path}`]);
    expect(error.message).toContain(rule);
    expect(error.message).not.toContain("PRIVATE KEY");
  });
});

describe("origins", () => {
  test("are taken as browsers send them", () => {
    const origins = ["https://a.example", "http://localhost:3000"];
    expect(read({ file: `server.cors: ${JSON.stringify(origins)}` }).cors).toEqual(origins);
  });

  test.each([
    "*",
    "https://a.example/",
    "https://a.example/x",
    "a.example",
    "https://A.example",
    "ftp://a",
    "null",
    "",
  ])("%p is none", (origin) => {
    const error = errorOf(() => read({ file: `server.cors: ["https://b.example", "${origin}"]` }));
    expect(error.details.path).toBe("server.cors.1");
  });
});

describe("the key that seals secrets", () => {
  test("comes from the environment or files", () => {
    const bytes = Buffer.alloc(32, 7);
    expect(read({}).sealing).toEqual({});
    expect(read({ env: { TORUS_KEY: bytes.toString("hex") } }).sealing.key).toEqual(bytes);
    const file = "storage: {key_file: /k/new, previous_key_file: /k/old}";
    expect(read({ file }).sealing).toEqual({ file: "/k/new", previousFile: "/k/old" });
  });

  test("must be one", () => {
    const error = errorOf(() => read({ env: { TORUS_KEY: "hunter2" } }));
    expect(error.message).toContain("TORUS_KEY: must be 32 bytes in base64 or hexadecimal");
    expect(error.message).not.toContain("hunter2");
  });
});

test("files with secrets that others can read are named", () => {
  const file = `server.tls: {cert: ${cert}, key: ${key}}\nstorage: {key_file: /k/new}`;
  expect(read({ file, exposed: [cert, key, "/k/new"] }).exposedFiles).toEqual([key, "/k/new"]);
  expect(read({ file }).exposedFiles).toEqual([]);
});

test("--insecure is remembered", () => expect(read({ argv: ["--insecure"] }).auth.insecure).toBe(true));

describe("further names of the server", () => {
  test("are none unless given, and in lower case", () => {
    expect(read({}).allowedHosts).toEqual([]);
    expect(read({ file: "server.allowed_hosts: [Torus.Example.org, torus]" }).allowedHosts).toEqual([
      "torus.example.org",
      "torus",
    ]);
  });

  test.each(["torus:8077", "http://torus", "*", "a b", ""])("%p is refused, with its place", (name) => {
    const error = errorOf(() => read({ file: `server.allowed_hosts: [torus, "${name}"]` }));
    expect(error.message).toContain("server.allowed_hosts.1: must be a host name without a port");
  });
});

describe("trusted proxies", () => {
  test("are none unless named", () => {
    expect(read({}).proxies).toEqual([]);
    expect(read({ file: 'server.trusted_proxies: [127.0.0.1, "fd00::/8"]' }).proxies).toHaveLength(2);
  });

  test.each(["localhost", "0.0.0.0/0", "10.0.0.0/40"])("%s is refused, with its place", (text) => {
    const error = errorOf(() => read({ file: `server.trusted_proxies: [127.0.0.1, "${text}"]` }));
    expect(error.message).toContain("server.trusted_proxies.1: must be an IP address, or a network");
  });
});
