// Keeps secrets out of views: by key at any depth, and inside addresses.

/** Keys that hold a secret in any kind, and the user names that travel with them. */
const secretKeys: ReadonlySet<string> = new Set([
  "password",
  "dbuser_password",
  "read_token",
  "write_token",
  "token",
  "secret_key",
  "access_key",
  "client_key",
  "api_key",
  "dbuser",
  "username",
  "user",
]);

/** `http://user:password@host` and every `scheme://...@` in a list of hosts. */
const userInfo = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi;
/** A password with an unescaped `/`, `?` or `#`: what follows the colon is not a port, so the last `@` ends it. */
const brokenUserInfo = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*:(?!\d*(?:[/?#,\s]|$))\S*@/gi;
/** `user:password@host` without a scheme. */
const bareUserInfo = /^(?![a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:\S*@(?=[^\s@]+$)/i;
const secretParameter = /([?&;](?:u|p|[a-z_-]*(?:password|token|secret|api_?key|user(?:name)?))=)[^&;#\s]*/gi;

/** An address without user name, password and secret query parameters. */
function redactText(text: string): string {
  return text
    .replace(brokenUserInfo, "$1")
    .replace(userInfo, "$1")
    .replace(bareUserInfo, "")
    .replace(secretParameter, "$1");
}

/** A copy without secrets: the known keys and `more` are left out at any depth, addresses lose their credentials. */
export function redact(value: unknown, more: readonly string[] = []): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map((item) => redact(item, more));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isSecret(key, more));
  return Object.fromEntries(kept.map(([key, inner]) => [key, redact(inner, more)]));
}

function isSecret(key: string, more: readonly string[]): boolean {
  return secretKeys.has(key.toLowerCase()) || more.includes(key);
}
