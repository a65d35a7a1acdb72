// Test events of hooks: those of a fleet pretend an anomaly of one series.
import { expect, test } from "bun:test";
import { makeTestEvents } from "../../../src/core/anomaly/test-event.ts";
import { aModel } from "../../support/builders.ts";

test("a start and an end of one anomaly; of a fleet, with all tags of a series", () => {
  const seriesOf = (settings: ReturnType<typeof aModel>) =>
    makeTestEvents({ settings, episode: "e", at: 9 }).map(({ id, series }) => [id, series]);
  expect(seriesOf(aModel())).toEqual([
    ["e:start", undefined],
    ["e:end", undefined],
  ]);
  const series = { host: "example", cpu: "example" };
  expect(seriesOf(aModel({ group_by: ["host", "cpu"] }))).toEqual([
    ["e:start", series],
    ["e:end", series],
  ]);
});
