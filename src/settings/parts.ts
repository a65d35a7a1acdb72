// Parts that schemas of settings are made of.
import { type TProperties, Type } from "@sinclair/typebox";

/** Settings under one name. */
export const section = <P extends TProperties>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, description, default: {} });

/** A whole number from 1 on. */
export const count = (description: string, value: number, maximum = 1_000_000_000) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: value,
    description,
    rule: `must be a whole number from 1 to ${maximum}`,
  });

/** A setting of old files that does nothing here. */
export const legacy = (description: string) =>
  Type.Optional(Type.Unknown({ description: `${description}; accepted, without effect`, legacy: true }));

/** A path; empty where there is none. */
export const path = (description: string) =>
  Type.String({ default: "", description, rule: "must be a path" });
