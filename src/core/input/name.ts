// Names in paths and bodies: the pattern, and lists of names separated by `;`.
import { Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";

const namePattern = "^(?!\\.{1,2}$)(?!__proto__$)[a-zA-Z0-9_.:@-]{1,256}$";
const nameForm = new RegExp(namePattern);
const nameRule = "must be 1 to 256 letters, digits, _, ., :, @ or -, and not . or .. alone";

/** Name of a bucket, model, template or hook: hosts with a port are such names. */
export const Name = Type.String({
  pattern: namePattern,
  description: "1 to 256 letters, digits, `_`, `.`, `:`, `@` or `-`; not `.` or `..` alone",
  rule: nameRule,
});

/** Name without `.` and `:`, of features (keys of answers and fields of saved points) and tokens (users of basic auth). */
export const PlainName = Type.String({
  pattern: "^(?!__proto__$)[a-zA-Z0-9_@-]{1,256}$",
  description: "1 to 256 letters, digits, `_`, `@` or `-`",
  rule: "must be 1 to 256 letters, digits, _, @ or -",
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
