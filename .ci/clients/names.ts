// Names in clients: those of the API, changed only where a language does not allow them.

/** Keywords of Python 3.9 to 3.14 (Language Reference, section 2.3.1). */
const keywords: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** `ListJobs` of `listJobs`, `NotFound` of `not_found`. */
export function pascal(name: string): string {
  return words(name)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("");
}

/** `list_jobs` of `listJobs`. */
export function snake(name: string): string {
  return words(name).join("_").toLowerCase();
}

/** Name of a parameter in both clients: `match` of `match[]`, `if_match` of `If-Match`. */
export function parameterName(name: string): string {
  return /^\w+$/.test(name) ? name : snake(name);
}

/** A name in Python: with `_` after a keyword and before a digit. */
export function pythonName(name: string): string {
  const plain = name.replace(/\W+/g, "_").replace(/^(?=\d)/, "_");
  return keywords.has(plain) ? `${plain}_` : plain;
}

/** A key of an object type, quoted where it is no identifier. */
export function typescriptKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function words(name: string): string[] {
  return name.replace(/([a-z0-9])(?=[A-Z])/g, "$1 ").match(/[A-Za-z0-9]+/g) ?? [];
}
