// Settings of topics: what belongs to a format, and to a time within JSON.
import { expect, test } from "bun:test";
import { checkTopics, type TopicSettings } from "../../../src/buckets/mqtt/settings.ts";

const check = (topic: Partial<TopicSettings>) => () =>
  checkTopics({ addr: "localhost", topics: [{ topic: "a/{host}", ...topic }] });

test("a time in JSON, and its zone", () => {
  expect(check({ format: "json", time: "Time", timezone: "Europe/Berlin" })).not.toThrow();
});

test.each<[Partial<TopicSettings>, string]>([
  [{ time: "Time" }, "topics.0.time: is for the format json alone"],
  [{ format: "json", field: "x" }, "topics.0.field: is for the format number alone"],
  [{ format: "json", time: "Time", timezone: "Mars" }, "topics.0.timezone: must be an IANA time zone"],
  [
    { format: "json", timezone: "UTC" },
    "topics.0.timezone: is that of the time in JSON: name its path in time",
  ],
])("%j is refused", (topic, message) => expect(check(topic)).toThrow(message));
