// Self-signed certificate for tests, for localhost and 127.0.0.1.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** File with the certificate, until `remove`. */
  readonly certFile: string;
  remove(): void;
}

/** Makes one that is good for two days. */
export function makeCertificate(): Certificate {
  const dir = mkdtempSync(join(tmpdir(), "certificate-"));
  const [certFile, keyFile] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  const { exitCode, stderr } = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
    ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", keyFile, "-out", certFile],
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return {
    cert: readFileSync(certFile, "utf8"),
    key: readFileSync(keyFile, "utf8"),
    certFile,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
