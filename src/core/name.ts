// Names in paths and bodies: the pattern, and lists of names separated by `;`.
import { Type } from "@sinclair/typebox";
import { invalid } from "./errors.ts";

const namePattern = "^(?!__proto__$)[a-zA-Z0-9_@-]{1,256}$";
const nameForm = new RegExp(namePattern);
const nameRule = "must be 1 to 256 letters, digits, _, @ or -";

/** Name of a bucket, model or template. */
export const Name = Type.String({
  pattern: namePattern,
  description: "1 to 256 letters, digits, `_`, `@` or `-`",
  rule: nameRule,
});

/**
 * Splits `a;b` of a path into names, in order, duplicates kept.
 * @throws TorusError `invalid` for an empty or malformed name
 */
export function splitNames(list: string, path = "name"): string[] {
  const names = list.split(";");
  for (const name of names) if (!nameForm.test(name)) throw invalid(path, nameRule);
  return names;
}
