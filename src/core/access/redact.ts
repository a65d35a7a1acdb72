// Removes secrets from views: by key at any depth, and credentials inside addresses.

/** Keys that hold a secret in any kind, and the user names beside them. */
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

/** Separates the scheme of an address from the rest. */
const SCHEME_END = "://";
/** A port followed by a path, a query, another address or nothing. */
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
 * A word without the credentials between `://` and `@`, as in `http://user:password@host`, in each address of a list.
 * Linear time, which a regular expression for this would not be.
 */
function redactWord(word: string): string {
  const lastAt = word.lastIndexOf("@");
  let shown = "";
  let from = 0;
  for (let at = word.indexOf(SCHEME_END); at >= 0 && at < lastAt; at = word.indexOf(SCHEME_END, from)) {
    const start = at + SCHEME_END.length;
    shown += word.slice(from, start);
    from = findEnd(word, start, lastAt);
  }
  return shown + word.slice(from);
}

/** End of the credentials that begin at `start`; `start` if there are none. */
function findEnd(word: string, start: number, lastAt: number): number {
  const length = word.slice(start).search(/[/?#]/);
  const authority = word.slice(start, length < 0 ? undefined : start + length);
  const user = authority.split("@", 1)[0]!;
  for (let colon = user.indexOf(":"); colon >= 0; colon = user.indexOf(":", colon + 1)) {
    // A password may hold an unescaped `/`, `?` or `#`: if no port follows the colon, the last `@` ends it.
    portEnd.lastIndex = start + colon + 1;
    if (!portEnd.test(word) && start + colon < lastAt) return lastAt + 1;
  }
  return start + authority.lastIndexOf("@") + 1;
}

/** A copy without secrets: known keys and `more` are removed at any depth, addresses lose their credentials. */
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
