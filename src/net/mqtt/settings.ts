// Settings of a connection to an MQTT broker: address, credentials, TLS.
import { type Static, Type } from "@sinclair/typebox";
import { addressSchema } from "../address.ts";
import { tlsDestination, tlsSettings } from "../tls.ts";

const text = (description: string) => Type.Optional(Type.String({ maxLength: 1024, description }));

export const brokerSettings = {
  addr: {
    ...addressSchema({
      description: "`host` or `host:port` of the broker; default port 1883, with `use_ssl` 8883",
      examples: ["localhost:1883"],
    }),
    pattern: "^[^/@]*$",
    rule: "must be host or host:port; link-local and metadata addresses are refused",
  },
  username: text("User name"),
  password: text("Password"),
  ...tlsSettings,
  use_ssl: Type.Optional(Type.Boolean({ default: false, description: "Speak TLS" })),
  verify_ssl: Type.Optional(
    Type.Boolean({ default: true, description: "Refuse a certificate that does not verify" }),
  ),
};

export const brokerSecrets: readonly string[] = ["username", "password", "client_key"];
export const brokerDestination: readonly string[] = ["addr", ...tlsDestination];

const schema = Type.Object(brokerSettings);
export type BrokerSettings = Static<typeof schema>;
