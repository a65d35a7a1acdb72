// Names of labels: those of tags, as far as the character set of Prometheus allows.
import { expect, test } from "bun:test";
import { labelsOf } from "../../../src/resources/promql/names.ts";

test.each([
  ["host", "host"],
  ["service.name", "service_name"],
  ["9th", "_9th"],
  ["__address__", "__address__"],
  ["__type__", "__type__"],
  ["___x", "___x"],
  ["__name__", "exported___name__"],
  ["bucket", "exported_bucket"],
])("the tag %p is the label %p", (tag, label) => {
  expect([...labelsOf("m", { bucket: "b" }, { [tag]: "v" })]).toContainEqual([label, "v"]);
});

test("tags that differ in a leading underscore stay apart", () => {
  const labels = labelsOf("m", {}, { _address__: "1", __address__: "2" });
  expect([...labels]).toEqual([
    ["__address__", "2"],
    ["__name__", "m"],
    ["_address__", "1"],
  ]);
});

test("what is empty is absent", () => {
  expect([...labelsOf("", { model: "m" }, { rack: "", host: "a" })]).toEqual([
    ["host", "a"],
    ["model", "m"],
  ]);
});
