// Building blocks of the schemas of stored parameters, and the read-only type of a schema.
import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Frozen } from "../core/frozen.ts";

/** The read-only type of the values that fit a schema. */
export type Stored<S extends TSchema> = Frozen<Static<S>>;

export const strict = { additionalProperties: false };

export const positive = Type.Number({ exclusiveMinimum: 0, rule: "must be a number above 0" });
export const notNegative = Type.Number({ minimum: 0, rule: "must be a number, at least 0" });
/** 0..1 */
export const share = Type.Number({ minimum: 0, maximum: 1, rule: "must be a number from 0 to 1" });
/** Above 0, at most 1. */
export const positiveShare = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  rule: "must be above 0 and at most 1",
});

/** Whole number from 1 to `maximum`. */
export function sizeUpTo(maximum: number) {
  return Type.Integer({ minimum: 1, maximum, rule: `must be a whole number from 1 to ${maximum}` });
}

export function numbers(maxItems: number) {
  return Type.Array(Type.Number(), { maxItems });
}

/** One of several texts. */
export function oneOf<T extends string>(names: readonly T[], rule = `must be one of ${names.join(", ")}`) {
  return Type.Union(
    names.map((name) => Type.Literal(name)),
    { rule },
  );
}

/** The same object with further properties. */
export function extend<P extends TProperties, Q extends TProperties>(schema: TObject<P>, further: Q) {
  return Type.Object({ ...schema.properties, ...further }, strict);
}
