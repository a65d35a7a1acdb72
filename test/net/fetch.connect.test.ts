// Connections of outbound HTTP: names are resolved, checked and pinned; TLS is verified by the settings.
import { afterEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { idle } from "../buckets/support.ts";
import { temporaryFolder } from "../support/folder.ts";
import { closeLater, closeServers, failure, get, makeClient, serve } from "./fetch.support.ts";

afterEach(closeServers);

describe("names", () => {
  const hello = () => serve((request) => new Response(request.headers.get("host")));
  const portOf = (addr: string) => addr.split(":")[1];

  test("the connection goes to the address that was checked, the Host header says the name", async () => {
    const port = portOf(hello());
    const lookup = async () => ["127.0.0.1"];
    expect(await makeClient(`store.test:${port}`, { lookup }).send(get, idle())).toBe(`store.test:${port}`);
  });

  test("each address of a name is tried while connections are refused", async () => {
    const port = portOf(hello());
    const lookup = async () => ["::1", "127.0.0.2", "127.0.0.1"];
    expect(await makeClient(`store.test:${port}`, { lookup }).send(get, idle())).toContain("store.test");
  });

  test.each([
    { found: ["169.254.169.254"] },
    { found: ["127.0.0.1", "fe80::1%lo"] },
    { found: ["::ffff:169.254.169.254"] },
    { found: ["fd00:ec2::254"] },
  ])("a name that leads to %j is refused, nothing is connected", async ({ found }) => {
    let visits = 0;
    const port = portOf(serve(() => new Response(`${visits++}`)));
    const error = await failure(`store.test:${port}`, { lookup: async () => found });
    expect(error).toMatchObject({ code: "forbidden" });
    expect(error.message).not.toContain("169.254");
    expect(visits).toBe(0);
  });

  test("an answer of the resolver that never comes is a timeout", async () => {
    const lookup = () => new Promise<string[]>(() => {});
    expect(await failure("store.test", { lookup, timeoutMs: 50 })).toMatchObject({
      code: "bucket_unavailable",
    });
  });
});

describe("TLS", () => {
  const dir = temporaryFolder();
  const [certFile, keyFile, noFile] = ["cert.pem", "key.pem", "none.pem"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  const made = Bun.spawnSync(
    [
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=store.test",
    ].concat(["-addext", "subjectAltName=DNS:store.test,IP:127.0.0.1", "-keyout", keyFile, "-out", certFile]),
  );
  const lookup = async () => ["127.0.0.1"];

  function serveTls(
    options: { ca?: string; requestCert?: boolean; rejectUnauthorized?: boolean } = {},
  ): string {
    const tls = { cert: Bun.file(certFile), key: Bun.file(keyFile), ...options };
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: () => new Response("secure") });
    closeLater(() => void server.stop(true));
    return `${server.port}`;
  }

  test("the certificate was made", () => expect(made.exitCode).toBe(0));

  test("without verify_ssl any certificate will do", async () => {
    const port = serveTls();
    for (const [addr, tls] of [
      [`127.0.0.1:${port}`, { use_ssl: true }],
      [`https://127.0.0.1:${port}`, {}],
    ] as const)
      expect(await makeClient(addr, { tls }).send(get, idle())).toBe("secure");
  });

  test("verify_ssl refuses a self-signed certificate", async () => {
    const error = await failure(`https://127.0.0.1:${serveTls()}`, { tls: { verify_ssl: true } });
    expect(error).toMatchObject({ code: "bucket_unavailable" });
    expect(error.message).toContain("TLS failed");
  });

  test("ca_certs vouches for it: by name, by address, and for no other name", async () => {
    const port = serveTls();
    const tls = { verify_ssl: true, ca_certs: certFile };
    for (const host of ["store.test", "127.0.0.1"])
      expect(await makeClient(`https://${host}:${port}`, { tls, lookup }).send(get, idle())).toBe("secure");
    const error = await failure(`https://other.test:${port}`, { tls, lookup });
    expect(error.message).toContain("TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)");
  });

  test("a client's certificate is shown to a server that wants one", async () => {
    writeFileSync(noFile, "no certificate in here");
    const port = serveTls({
      ca: await Bun.file(certFile).text(),
      requestCert: true,
      rejectUnauthorized: true,
    });
    const addr = `https://127.0.0.1:${port}`;
    const tls = { client_cert: certFile, client_key: keyFile };
    expect(await makeClient(addr, { tls }).send(get, idle())).toBe("secure");
    expect(await failure(addr)).toMatchObject({ code: "bucket_unavailable" });
  });

  test.each(["ca_certs", "client_cert", "client_key"])("%s that is no PEM file is named", async (setting) => {
    writeFileSync(noFile, "no certificate in here");
    const port = serveTls();
    for (const file of [noFile, join(dir, "missing"), dir, "/dev/zero"]) {
      const error = await failure(`https://127.0.0.1:${port}`, { tls: { [setting]: file } });
      expect(error).toMatchObject({ code: "invalid", details: { path: setting } });
    }
  });

  test("plain HTTP where TLS is spoken, and the other way round", async () => {
    expect(await failure(`http://127.0.0.1:${serveTls()}`)).toMatchObject({ code: "bucket_unavailable" });
    const plain = serve(() => new Response("plain"));
    expect(await failure(`https://${plain}`)).toMatchObject({ code: "bucket_unavailable" });
  });
});
