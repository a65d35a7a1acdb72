// Building blocks of the API schemas: view types, instants, discriminated unions.
import { type Static, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import type { Frozen } from "../core/frozen.ts";
import { dateSchema } from "../core/time/date-schema.ts";

/** The type of a view: the deeply readonly type of its schema. */
export type Shown<S extends TSchema> = Frozen<Static<S>>;

/** Seconds since the epoch. */
export function seconds(description = "Seconds since the epoch") {
  return Type.Number({ description });
}

export const NullableNumber = Type.Union([Type.Number(), Type.Null()]);

/** Instant of a request: the API takes seconds, ISO 8601 and relative dates. */
export function date(description: string) {
  return Type.Optional(dateSchema({ description }));
}

/** A union of components, discriminated by `propertyName`. */
export function oneOf<S extends TSchema>(
  propertyName: string,
  members: Readonly<Record<string, S>>,
  options: { readonly $id: string; readonly description?: string },
): TUnsafe<Static<S>> {
  const mapping = Object.fromEntries(
    Object.entries(members).map(([value, { $id }]) => [value, `#/components/schemas/${$id}`]),
  );
  const discriminator = { propertyName, mapping };
  return Type.Unsafe<Static<S>>({ ...options, oneOf: Object.values(members), discriminator });
}

/** Component name of a kind: `BucketElasticsearchAws` for `elasticsearch_aws`. */
export function componentOf(noun: string, kind: string): string {
  return noun + kind.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
