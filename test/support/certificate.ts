// Self-signed certificate for tests, for localhost and 127.0.0.1, or another name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** File with the certificate. */
  readonly certFile: string;
}

/** Makes one that is good for two days. */
export function makeCertificate(names = "DNS:localhost,IP:127.0.0.1"): Certificate {
  const dir = temporaryFolder();
  const [certFile, keyFile] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  const { exitCode, stderr } = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
    ...["-addext", `subjectAltName=${names}`, "-keyout", keyFile, "-out", certFile],
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8"), certFile };
}
