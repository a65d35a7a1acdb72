// Secrets at rest: secret fields of stored JSON are sealed with AES-256-GCM, each bound to its table and row.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { redact } from "../../core/access/redact.ts";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Prefix of sealed values, with the version of their format. */
const PREFIX = "sealed:1:";

type Fields = Readonly<Record<string, unknown>>;
export type SealedTable = "buckets" | "calendars" | "hooks" | "scheduled_jobs";

/** Table and row of sealed fields, which cannot be opened elsewhere. */
export interface Place {
  readonly table: SealedTable;
  /** Names of the row. */
  readonly row: readonly string[];
}

/** Names of the secret fields of a kind. */
export type SecretsOf = (table: SealedTable, kind: string) => readonly string[];

/** Seals fields before they are written, opens them after they are read. */
export interface Vault {
  /** A copy with its secret fields sealed; the same object where there are none. */
  seal<F extends Fields>(place: Place, fields: F, kind?: string): F;
  /** A copy with its fields opened. @throws Error naming the field that cannot be opened */
  open<F extends Fields>(place: Place, fields: F): F;
  /** Whether every secret field is sealed. */
  isSealed(place: Place, fields: Fields, kind?: string): boolean;
}

/** Seals nothing: for databases without a key. */
export const plainVault: Vault = {
  seal: (_place, fields) => fields,
  open: (_place, fields) => fields,
  isSealed: () => true,
};

/** Identifies a key without revealing it: 8 hexadecimal digits of a hash. */
export function keyIdOf(key: Uint8Array): string {
  return createHash("sha256").update("torus key id\0").update(key).digest("hex").slice(0, 8);
}

/** Whether a value has the format of a sealed one. */
export function isEnvelope(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(PREFIX);
}

/** @param key 32 bytes */
export function createVault(key: Uint8Array, secretsOf: SecretsOf): Vault {
  const keyId = keyIdOf(key);
  const isSecret = ({ table }: Place, kind: string, [name, value]: [string, unknown]) => {
    const field = { [name]: value };
    return !Bun.deepEquals(redact(field, secretsOf(table, kind)), field);
  };
  return {
    // A value of a client that looks sealed is sealed as well, so that it cannot be opened as one of ours.
    seal: (place, fields, kind = "") =>
      mapFields(fields, (name, value) =>
        isEnvelope(value) || isSecret(place, kind, [name, value])
          ? sealValue({ key, keyId, aad: bind(place, name) }, value)
          : value,
      ),
    open: (place, fields) =>
      mapFields(fields, (name, value) =>
        isEnvelope(value) ? openField({ key, place, name }, value) : value,
      ),
    isSealed: (place, fields, kind = "") =>
      Object.entries(fields).every((field) => isEnvelope(field[1]) || !isSecret(place, kind, field)),
  };
}

/** @returns the same object where nothing changes */
function mapFields<F extends Fields>(fields: F, map: (name: string, value: unknown) => unknown): F {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const mapped = map(name, value);
    if (mapped === value) continue;
    copy ??= { ...fields };
    copy[name] = mapped;
  }
  return (copy ?? fields) as F;
}

/** Table, row and field as additional authenticated data: a value that was moved cannot be opened. */
function bind({ table, row }: Place, name: string): Buffer {
  return Buffer.from(JSON.stringify([table, ...row, name]));
}

function sealValue(
  { key, keyId, aad }: { key: Uint8Array; keyId: string; aad: Buffer },
  value: unknown,
): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(aad);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return `${PREFIX}${keyId}:${Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64")}`;
}

function openField({ key, place, name }: { key: Uint8Array; place: Place; name: string }, envelope: string) {
  try {
    return openValue({ key, aad: bind(place, name) }, envelope);
  } catch {
    const where = `${place.table}/${place.row.join("/")}, field ${name}`;
    throw new Error(`a sealed value cannot be opened (${where}): it was changed or moved; set it anew`);
  }
}

function openValue({ key, aad }: { key: Uint8Array; aad: Buffer }, envelope: string): unknown {
  const bytes = Buffer.from(envelope.slice(envelope.lastIndexOf(":") + 1), "base64");
  const [start, end] = [NONCE_BYTES, bytes.length - TAG_BYTES];
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, start), { authTagLength: TAG_BYTES });
  decipher.setAAD(aad).setAuthTag(bytes.subarray(end));
  const text = Buffer.concat([decipher.update(bytes.subarray(start, end)), decipher.final()]);
  return JSON.parse(text.toString("utf8"));
}
