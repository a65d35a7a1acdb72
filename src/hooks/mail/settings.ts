// Settings of the mail server, read from the mail server file.
import { type Static, Type } from "@sinclair/typebox";
import { check } from "../../core/input/schema.ts";

const noControl = "^[^\\u0000-\\u0020\\u007f]+$";

/** The section `smtp`. */
export const SmtpSettings = Type.Object(
  {
    host: Type.String({
      pattern: noControl,
      maxLength: 255,
      description: "Mail server",
      rule: "must be a host name or an address",
    }),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        description: "Port; by default 465 with `tls`, else 25",
        rule: "must be a port from 1 to 65535",
      }),
    ),
    user: Type.Optional(Type.String({ maxLength: 1024, description: "User name; absent = no login" })),
    password: Type.Optional(Type.String({ maxLength: 1024, description: "Password" })),
    tls: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "TLS: from the first byte on port 465, by STARTTLS elsewhere. A login needs it in any case",
      }),
    ),
    ca: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4096, description: "PEM file of authorities to trust" }),
    ),
    verify: Type.Optional(
      Type.Boolean({ default: true, description: "Refuse a certificate that does not verify" }),
    ),
  },
  { additionalProperties: false },
);
export type SmtpSettings = Static<typeof SmtpSettings>;

const MailFile = Type.Object({ smtp: SmtpSettings }, { additionalProperties: false, title: "mail settings" });

/** Checks the content of the file. @throws TorusError `invalid` with the path, never the value */
export function checkMailFile(content: unknown): SmtpSettings {
  return check(MailFile, content).smtp;
}
