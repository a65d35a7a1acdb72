// Names of resources: their pattern, and lists separated by `;` in paths.
import { Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";

const namePattern = "^(?!\\.{1,2}$)(?!__proto__$)[a-zA-Z0-9_.:@-]{1,256}$";
const nameForm = new RegExp(namePattern);
const nameRule = "must be 1 to 256 letters, digits, _, ., :, @ or -, and not . or .. alone";

/** Name of a bucket, model, template or hook; allows `host:port`. */
export const Name = Type.String({
  pattern: namePattern,
  description: "1 to 256 letters, digits, `_`, `.`, `:`, `@` or `-`; not `.` or `..` alone",
  rule: nameRule,
});

/** Name without `.` and `:`, of features (keys of answers, fields of saved points) and tokens (users of basic auth). */
export const PlainName = Type.String({
  pattern: "^(?!__proto__$)[a-zA-Z0-9_@-]{1,256}$",
  description: "1 to 256 letters, digits, `_`, `@` or `-`",
  rule: "must be 1 to 256 letters, digits, _, @ or -",
});

/**
 * Splits `a;b` of a path into names, in order, with duplicates.
 * @throws TorusError `invalid` for an empty or malformed name
 */
export function splitNames(list: string, path = "name"): string[] {
  const names = list.split(";");
  for (const name of names) if (!nameForm.test(name)) throw invalid(path, nameRule);
  return names;
}
