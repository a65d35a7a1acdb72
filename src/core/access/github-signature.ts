// Signatures of GitHub's webhooks (GitHub Docs, "Validating webhook deliveries"): HMAC-SHA256 of the body, in hex.
import { createHmac, timingSafeEqual } from "node:crypto";

/** Header that has the signature. */
export const GITHUB_SIGNATURE = "x-hub-signature-256";
const PREFIX = "sha256=";

/**
 * Whether a body was signed with the secret; compared in constant time.
 * @param body as it was sent
 * @param header value of `GITHUB_SIGNATURE`
 */
export function isSignedByGithub(body: string, header: string | null, secret: string): boolean {
  const given = Buffer.from(header ?? "");
  const expected = Buffer.from(PREFIX + createHmac("sha256", secret).update(body).digest("hex"));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
