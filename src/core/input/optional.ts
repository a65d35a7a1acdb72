// Optional fields and parameters of schemas that need no more than a description.
import { type TSchema, Type } from "@sinclair/typebox";

export const optional = {
  text: (description: string) => Type.Optional(Type.String({ description })),
  flag: (description: string) => Type.Optional(Type.Boolean({ description })),
  number: (description: string) => Type.Optional(Type.Number({ description })),
  integer: (description: string) => Type.Optional(Type.Integer({ description })),
};

/** Key of a schema that marks what a request must hold, in its query or in its body. */
export const REQUIRED = "x-required";

/**
 * Marks a parameter as required that a request gives either in its query or in its body, where each alone is optional,
 * or a body that is no JSON.
 */
export function needed<S extends TSchema>(parameter: S): S {
  return { ...parameter, [REQUIRED]: true };
}
