// Schema of the session: the sender of a request, and the settings of the server that clients depend on.
import { Type } from "@sinclair/typebox";
import { ScopeSchema } from "../../core/access/token.ts";
import { optional } from "../../core/input/optional.ts";
import { type Shown, seconds } from "../shown.ts";

const count = (description: string) => Type.Integer({ description });

export const Session = Type.Object(
  {
    auth: Type.Boolean({
      description: "Whether requests need a token; without, every sender has scope `admin`",
    }),
    scope: ScopeSchema,
    name: optional.text("Name of the token"),
    expires_date: Type.Optional(Type.String({ format: "date-time" })),
    expires_timestamp: Type.Optional(seconds("End of the token, seconds since the epoch")),
    version: Type.String({ description: "Of the server" }),
    started_timestamp: seconds("Start of the server, seconds since the epoch"),
    timezone: Type.String({ description: "IANA time zone of times of day" }),
    external_url: optional.text("Address of this server for people, if it is known: hooks link to it"),
    hooks: Type.Object(
      {
        mail: Type.Boolean({ description: "Whether a mail server is configured" }),
        exec: Type.Boolean({ description: "Whether hooks may run programs" }),
        private_networks: Type.Boolean({ description: "Whether hooks may reach private networks" }),
      },
      { description: "Abilities of hooks on this server" },
    ),
    bin_seconds: Type.Number({ description: "`server.bin`: how long deleted resources can be restored" }),
    limits: Type.Object(
      {
        body_bytes: count("Largest request body"),
        body_depth: count("Deepest nesting of a request body"),
        points_per_write: count("Points of one `_write`"),
        values_per_read: count("Values of one `_read`: intervals times features"),
        values_per_evaluation: count("Values of one `_eval`"),
        values_per_forecast: count("Values of one `_forecast`"),
        points_per_series: count("Points of a posted series"),
      },
      { description: "Largest requests" },
    ),
  },
  { $id: "Session" },
);
export type SessionView = Shown<typeof Session>;

export const ExternalUrlInput = Type.Object(
  {
    url: Type.Union([Type.String({ maxLength: 1024 }), Type.Null()], {
      description: "Without login, query or fragment, as in `https://torus.example.org`",
      examples: ["https://torus.example.org"],
    }),
  },
  { $id: "ExternalUrlInput" },
);
