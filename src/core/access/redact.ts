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

/** What follows the scheme of an address. */
const MARK = "://";
/** A port, and that nothing but a path, a query or another address follows. */
const portEnd = /\d*(?:[/?#,]|$)/y;
/** `user:password@host` without a scheme. */
const bareUserInfo = /^(?![a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:\S*@(?=[^\s@]+$)/i;
const secretParameter = /([?&;](?:u|p|[a-z_-]*(?:password|token|secret|api_?key|user(?:name)?))=)[^&;#\s]*/gi;

/** An address without user name, password and secret query parameters. */
function redactText(text: string): string {
  const words = text.includes("@") ? text.replace(/\S+/g, redactWord) : text;
  return words.replace(bareUserInfo, "").replace(secretParameter, "$1");
}

/**
 * A word without what stands between `://` and the `@` after it, as in `http://user:password@host`; also each one in a
 * list of addresses. One look at every letter: a pattern for this takes the square of the length.
 */
function redactWord(word: string): string {
  const lastAt = word.lastIndexOf("@");
  let shown = "";
  let from = 0;
  for (let at = word.indexOf(MARK); at >= 0 && at < lastAt; at = word.indexOf(MARK, from)) {
    const start = at + MARK.length;
    shown += word.slice(from, start);
    from = findEnd(word, start, lastAt);
  }
  return shown + word.slice(from);
}

/** Where the user name and password that begin at `start` end; `start` where there are none. */
function findEnd(word: string, start: number, lastAt: number): number {
  const length = word.slice(start).search(/[/?#]/);
  const authority = word.slice(start, length < 0 ? undefined : start + length);
  const user = authority.split("@", 1)[0]!;
  for (let colon = user.indexOf(":"); colon >= 0; colon = user.indexOf(":", colon + 1)) {
    // A password may hold an unescaped `/`, `?` or `#`: what follows the colon is not a port, so the last `@` ends it.
    portEnd.lastIndex = start + colon + 1;
    if (!portEnd.test(word) && start + colon < lastAt) return lastAt + 1;
  }
  return start + authority.lastIndexOf("@") + 1;
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
