// Kind `mqtt`: points that devices publish, received from a broker and stored as those of a `local` bucket.
import { connectBroker } from "../../net/mqtt/connect.ts";
import { brokerDestination, brokerSecrets } from "../../net/mqtt/settings.ts";
import type { BucketKind } from "../kind.ts";
import { openStored, storedFiles } from "../stored/index.ts";
import { checkTopics, settings } from "./settings.ts";
import { subscribe } from "./subscribe.ts";

export const mqtt: BucketKind<typeof settings> = {
  kind: "mqtt",
  description:
    "Topics of an MQTT broker, subscribed to as long as the bucket exists; the points are stored by this server itself",
  settings,
  secrets: brokerSecrets,
  destination: brokerDestination,
  check: checkTopics,
  open(name, own, context) {
    const stored = openStored(name, own, context);
    return {
      ...stored,
      async probe(signal) {
        const { client } = await connectBroker(own, { session: { clean: true } });
        client.end(true);
        return stored.probe!(signal);
      },
    };
  },
  subscribe,
  ...storedFiles,
};
