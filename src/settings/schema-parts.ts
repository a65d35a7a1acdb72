// Building blocks of the settings schema: sections, counts, paths, settings without effect.
import { type TProperties, Type } from "@sinclair/typebox";

/** A group of settings under one key. @param reload whether a reload applies them; others need a restart */
export const section = <P extends TProperties>(
  properties: P,
  description: string,
  options: { reload?: boolean } = {},
) => Type.Object(properties, { additionalProperties: false, description, default: {}, ...options });

/** An integer of at least 1. */
export const count = (description: string, value: number, maximum = 1_000_000_000) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: value,
    description,
    rule: `must be a whole number from 1 to ${maximum}`,
  });

/** A setting of older versions, accepted without effect. */
export const legacy = (description: string) =>
  Type.Optional(Type.Unknown({ description: `${description}; accepted, without effect`, legacy: true }));

/** A path; empty: none. */
export const path = (description: string) =>
  Type.String({ default: "", description, rule: "must be a path" });
