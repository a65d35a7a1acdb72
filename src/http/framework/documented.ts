// Schemas that document a route without checking it: the resources check, and say what is wrong in our words.
import { Kind, type TSchema, type TUnsafe } from "@sinclair/typebox";

/** The kind whose check is compiled to `true`; one of our own would be looked up for each value. */
const ANYTHING = "Unknown";

/**
 * A schema that says in the API documents what it said before, and accepts every value.
 * Parts lose their kinds, so that the framework finds nothing in them to coerce. Defaults are seen by the documents
 * only: the framework would fill them in, and turn a body that is a list or a text into an object on the way.
 */
export function documented<T = unknown>(schema: TSchema): TUnsafe<T> {
  const text = JSON.stringify(schema);
  const shown = JSON.parse(text);
  const seen = JSON.parse(text, (key, value) => (key === "default" || key === "$id" ? undefined : value));
  return { ...seen, [Kind]: ANYTHING, toJSON: () => shown } as unknown as TUnsafe<T>;
}
