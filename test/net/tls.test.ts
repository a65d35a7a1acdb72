// TLS settings: files that are too large for a certificate are not read.
import { beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTlsOptions } from "../../src/net/tls.ts";
import { temporaryFolder } from "../support/folder.ts";

let dir: string;
beforeEach(() => {
  dir = temporaryFolder();
});

const MAX_BYTES = 1024 * 1024;

test("a PEM file of up to 1 MiB is read, a larger one is refused", async () => {
  const file = join(dir, "ca.pem");
  const text = "-----BEGIN CERTIFICATE-----\n".padEnd(MAX_BYTES, "x");
  writeFileSync(file, text);
  expect(await readTlsOptions({ ca_certs: file })).toEqual({ rejectUnauthorized: false, ca: text });
  writeFileSync(file, `${text}x`);
  const failure = readTlsOptions({ ca_certs: file });
  await expect(failure).rejects.toMatchObject({ code: "invalid", details: { path: "ca_certs" } });
});
