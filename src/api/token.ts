// Schemas of tokens; only the answer that creates a token has its secret.
import { Type } from "@sinclair/typebox";
import { ScopeSchema } from "../core/access/token.ts";
import { optional } from "../core/input/optional.ts";
import { type Shown, seconds } from "./shown.ts";

const dateTime = Type.Optional(Type.String({ format: "date-time" }));
const instant = Type.Optional(seconds());

export const Token = Type.Object(
  {
    name: Type.String(),
    scope: ScopeSchema,
    configured: optional.flag("Defined in the settings of the server"),
    expired: Type.Optional(Type.Boolean()),
    created_date: dateTime,
    created_timestamp: instant,
    last_used_date: dateTime,
    last_used_timestamp: instant,
    expires_date: dateTime,
    expires_timestamp: instant,
  },
  { $id: "Token" },
);
export type TokenView = Shown<typeof Token>;

export const NewToken = Type.Object(
  { ...Token.properties, token: Type.String({ description: "The secret, shown only once" }) },
  { $id: "NewToken" },
);
