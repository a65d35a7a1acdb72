// HTTPS with the configured certificate; plain HTTP is not answered.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "../support/certificate.ts";
import { createFakeApp } from "../support/fake-app.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runServer, startServer } from "../support/server-process.ts";

const certificate = makeCertificate();
const dir = temporaryFolder();

const key = join(dir, "key.pem");
writeFileSync(key, certificate.key, { mode: 0o600 });
const config = (text: string) => {
  const path = join(dir, "torus.yml");
  writeFileSync(path, text);
  return ["--config", path];
};

test("the address is https, the certificate verifies, and plain HTTP is not answered", async () => {
  const args = config(`server.tls: {cert: ${certificate.certFile}, key: ${key}}`);
  const server = await startServer({ dataDir: join(dir, "data"), args });
  try {
    expect(server.url).toStartWith("https://127.0.0.1:");
    const ask = (path: string, init = {}) =>
      fetch(`${server.url}${path}`, { ...init, tls: { ca: certificate.cert } });
    expect((await ask("")).status).toBe(200);
    expect((await ask("/models?pretty=true")).status).toBe(200);
    expect((await ask("/models/none")).status).toBe(404);
    expect((await ask("/livez", { headers: { host: "ab" } })).status).toBe(400);
    await expect(fetch(server.url)).rejects.toThrow(/self.signed|certificate/i);
    await expect(fetch(server.url.replace("https", "http"))).rejects.toThrow();
    const old = Bun.spawnSync([
      ...["openssl", "s_client", "-connect", new URL(server.url).host, "-tls1_1"],
      ...["-cipher", "ALL:@SECLEVEL=0"],
    ]);
    expect(old.exitCode).not.toBe(0);
    const suiteOf = (cipher: string) =>
      Bun.spawnSync([
        ...["openssl", "s_client", "-connect", new URL(server.url).host, "-tls1_2", "-cipher", cipher],
      ]).exitCode;
    expect(suiteOf("ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256")).toBe(0);
    for (const weak of ["ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA", "AES128-SHA", "AES128-GCM-SHA256"])
      expect([weak, suiteOf(`${weak}:@SECLEVEL=0`)]).toEqual([weak, 1]);
    const { headers } = await ask("/livez");
    expect(headers.get("strict-transport-security")).toBe("max-age=86400");
    expect(server.lines.filter((line) => line.includes('"warn"'))).toEqual([]);
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

test.each([
  ["https://abc/models", 200],
  ["https://ab:8077/models", 200],
  ["https://[::1]/models/a", 200],
  ["https://ab/models", 400],
  ["https://x/livez/", 400],
] as const)("over TLS %s answers %d", async (url, status) => {
  const response = await createFakeApp({ tls: true }).handle(new Request(url));
  expect(response.status).toBe(status);
});

test("a bad pair is a start-up error that names the file, exit code 2", async () => {
  const args = config(`server.tls: {cert: ${certificate.certFile}, key: ${certificate.certFile}}`);
  for (const flags of [[], ["--check-config"]]) {
    const { exitCode, output } = await runServer({ dataDir: join(dir, "bad"), args: [...args, ...flags] });
    expect(exitCode).toBe(2);
    expect(output).toContain(`server.tls.key: ${certificate.certFile} holds no private key`);
  }
});

test("a key under a passphrase opens with it", async () => {
  const sealed = join(dir, "sealed.pem");
  const made = Bun.spawnSync([
    ...["openssl", "rsa", "-aes256", "-passout", "pass:hunter2", "-in", key, "-out", sealed],
  ]);
  expect(made.exitCode).toBe(0);
  const args = config(
    `server.tls: {cert: ${certificate.certFile}, key: ${sealed}, passphrase: "\${TLS_PASSPHRASE}"}`,
  );
  const server = await startServer({ dataDir: join(dir, "data"), args, env: { TLS_PASSPHRASE: "hunter2" } });
  const answer = await fetch(server.url, { tls: { ca: certificate.cert } });
  expect(answer.status).toBe(200);
  await server.stop();
});

test("a key that others can read is warned of", async () => {
  const open = join(dir, "open.pem");
  writeFileSync(open, certificate.key, { mode: 0o644 });
  const args = config(`server.tls: {cert: ${certificate.certFile}, key: ${open}}`);
  const server = await startServer({ dataDir: join(dir, "data"), args });
  expect(server.lines.join("\n")).toContain(`chmod 600","file":"${open}"`);
  await server.stop();
});
