// Words of schemas: values that are one of a list of texts.
import { type SchemaOptions, Type } from "@sinclair/typebox";

/** One of some words. */
export function oneOfWords<W extends string>(words: readonly W[], options?: SchemaOptions) {
  return Type.Union(
    words.map((word) => Type.Literal(word)),
    options,
  );
}
