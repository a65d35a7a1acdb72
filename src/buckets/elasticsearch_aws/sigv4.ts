// AWS Signature Version 4 of a request, from its parts, a key and the time. Pure.
import { percentEncode } from "../../net/percent-encoding.ts";

export interface AwsKey {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | undefined;
}

/** Credential scope of a signature. */
export interface Scope {
  readonly region: string;
  readonly service: string;
}

interface SignedParts {
  readonly method: string;
  /** As sent: percent-encoded, with the query. */
  readonly path: string;
  /** All headers to sign, `host` included; values trimmed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * Signs a request.
 * @returns the headers to add: `X-Amz-Date`, `Authorization`, and `X-Amz-Security-Token` with a session token.
 * @param at the time in ms
 */
export function signRequest(
  parts: SignedParts,
  { key, scope }: { readonly key: AwsKey; readonly scope: Scope },
  at: number,
): Record<string, string> {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const added = {
    "X-Amz-Date": time,
    ...(key.sessionToken && { "X-Amz-Security-Token": key.sessionToken }),
  };
  const headers = normalizeHeaders({ ...parts.headers, ...added });
  const names = headers.map(([name]) => name).join(";");
  const request = canonicalize(parts, headers, names);
  const credential = [time.slice(0, 8), scope.region, scope.service, "aws4_request"];
  const toSign = [ALGORITHM, time, credential.join("/"), hash(request)].join("\n");
  const signingKey = credential.reduce<string | Buffer>(
    (secret, part) => authenticate(secret, part),
    `AWS4${key.secretKey}`,
  );
  const signature = authenticate(signingKey, toSign).toString("hex");
  const Authorization = `${ALGORITHM} Credential=${key.accessKey}/${credential.join("/")}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...added, Authorization };
}

type Headers = readonly (readonly [name: string, value: string])[];

function normalizeHeaders(headers: Readonly<Record<string, string>>): Headers {
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, " ")] as const)
    .sort(([a], [b]) => compare(a, b));
}

function canonicalize({ method, path, body }: SignedParts, headers: Headers, names: string): string {
  const [bare = "", query = ""] = path.split("?", 2);
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join("");
  // Segments are encoded twice, as all services but S3 expect.
  const segments = bare.split("/").map(percentEncode).join("/");
  return [method, segments || "/", sortQuery(query), lines, names, hash(body)].join("\n");
}

/** Sorts by name, then by value, bytewise. */
function sortQuery(query: string): string {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => (pair.includes("=") ? pair : `${pair}=`))
    .sort((a, b) => {
      const [[nameA = "", valueA = ""], [nameB = "", valueB = ""]] = [a.split("="), b.split("=")];
      return compare(nameA, nameB) || compare(valueA, valueB);
    })
    .join("&");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function hash(data: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(data).digest("hex");
}

function authenticate(secret: string | Buffer, text: string): Buffer {
  return new Bun.CryptoHasher("sha256", secret).update(text).digest();
}
