// Optional fields and parameters of schemas that need no more than a description.
import { Type } from "@sinclair/typebox";

export const optional = {
  text: (description: string) => Type.Optional(Type.String({ description })),
  flag: (description: string) => Type.Optional(Type.Boolean({ description })),
  number: (description: string) => Type.Optional(Type.Number({ description })),
  integer: (description: string) => Type.Optional(Type.Integer({ description })),
};
