// Entity tags of settings: a digest, and the condition `If-Match` on it (RFC 9110, section 13.1.1).
import { invalid, TorusError } from "../errors.ts";

const MAX_HEADER = 4096;
const tag = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** The entity tag of a value: equal for equal JSON. */
export function etagOf(value: unknown): string {
  return `"${Bun.SHA256.hash(JSON.stringify(value), "base64").slice(0, 22).replaceAll("+", "-").replaceAll("/", "_")}"`;
}

/** A parsed `If-Match` header. */
export interface IfMatch {
  /** @throws TorusError `precondition_failed` with the current tag, if it is none of the header */
  check(current: string): void;
}

/**
 * Parses `If-Match`: `*`, or a list of entity tags; weak ones match nothing.
 * @param header null: absent
 * @returns undefined without a condition
 * @throws TorusError `invalid`
 */
export function parseIfMatch(header: string | null): IfMatch | undefined {
  const text = header?.trim();
  if (text === undefined || text === "*") return undefined;
  const tags = text.split(",").map((each) => each.trim());
  if (text.length > MAX_HEADER || !tags.every((each) => tag.test(each)))
    throw invalid("if-match", 'must be entity tags in quotes, as in the header ETag of a GET, or "*"');
  return {
    check: (current) => {
      if (tags.includes(current)) return;
      const way = "read it again, and repeat the change on what is there now";
      throw new TorusError("precondition_failed", `it was changed since it was read: ${way}`, {
        etag: current,
      });
    },
  };
}
