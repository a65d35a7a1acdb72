// TLS settings of a bucket: verification, and PEM files of certificates and keys.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../core/errors.ts";

/** Files with certificates are small; a larger one is the wrong file. */
const MAX_FILE_BYTES = 1024 * 1024;

const fileRule = "must be the path of a PEM file on the server";
const FilePath = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description, rule: fileRule }));

/** Settings of every kind that uses HTTP. */
export const tlsSettings = {
  use_ssl: Type.Optional(
    Type.Boolean({ default: false, description: "Speak TLS; `https://` in the address means the same" }),
  ),
  verify_ssl: Type.Optional(
    Type.Boolean({ default: false, description: "Refuse a certificate that does not verify" }),
  ),
  ca_certs: FilePath("PEM file of authorities to trust in place of the system's"),
  client_cert: FilePath("PEM file with the client's certificate"),
  client_key: FilePath("PEM file with the key of the client's certificate"),
};
/** Those that affect the protection of what is sent. */
export const tlsDestination = ["use_ssl", "verify_ssl", "ca_certs"] as const;

const schema = Type.Object(tlsSettings);
export type TlsSettings = Static<typeof schema>;

/** Options of a connection; texts are PEM. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Reads the files. @throws TorusError `invalid` naming the setting if a file is missing or not PEM */
export async function readTlsOptions(settings: TlsSettings): Promise<TlsOptions> {
  const { ca_certs, client_cert, client_key } = settings;
  return {
    rejectUnauthorized: settings.verify_ssl ?? false,
    ...(ca_certs && { ca: await readPem(ca_certs, "ca_certs") }),
    ...(client_cert && { cert: await readPem(client_cert, "client_cert") }),
    ...(client_key && { key: await readPem(client_key, "client_key") }),
  };
}

async function readPem(file: string, setting: string): Promise<string> {
  const handle = Bun.file(file);
  const stat = await handle.stat().catch(() => undefined);
  const text = stat?.isFile() && stat.size <= MAX_FILE_BYTES ? await handle.text().catch(() => "") : "";
  if (!text.includes("-----BEGIN ")) throw invalid(setting, fileRule);
  return text;
}
