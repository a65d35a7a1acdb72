// Addresses of screens: `#/models/NAME?from=…`, parsed and built; the whole view is in the address.

export interface Route {
  /** Parts of the path, decoded. */
  readonly path: readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const parts = path.split("/").filter((part) => part !== "");
  return { path: parts.map(decode), params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Parameters that are undefined or empty are left out. */
export function buildRoute(
  path: readonly string[],
  params: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${query === "" ? "" : `?${query}`}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
