// Proposals: the setting that one changes, on what is stored now, and the way back.
import { expect, test } from "bun:test";
import type { MuteWindow } from "../../../../src/core/model/mute.ts";
import { changeOf, readProposal } from "../../../../src/ui/lib/anomalies/proposal.ts";

const window = { from: "02:00", to: "03:00" };
const other = { weekdays: ["monday" as const], from: "04:00", to: "05:00" };
const describe = ({ from, to }: MuteWindow) => `${from} to ${to}`;
const model = (settings: object, max?: number) =>
  ({ settings, state: { ...(max !== undefined && { thresholds: { max } }) } }) as never;

test("a threshold is undone to the one before, or to an automatic one, which is shown", () => {
  const proposed = readProposal({ body: { max_threshold: 72 } });
  expect(changeOf(proposed, model({ max_threshold: 60 }), describe)).toEqual({
    key: "max_threshold",
    before: ["60"],
    after: ["72"],
    body: { max_threshold: 72 },
    undo: { max_threshold: 60 },
  });
  const automatic = changeOf(proposed, model({}, 53.4), describe);
  expect([automatic.before, automatic.undo]).toEqual([["53"], { max_threshold: 0 }]);
});

test("a mute window stands beside those that are stored now, whatever the report knew", () => {
  const proposed = readProposal({ body: { mute: [window] } });
  expect(changeOf(proposed, model({ mute: [other] }), describe)).toEqual({
    key: "mute",
    before: ["04:00 to 05:00"],
    after: ["04:00 to 05:00", "02:00 to 03:00"],
    body: { mute: [other, window] },
    undo: { mute: [other] },
  });
  expect(changeOf(proposed, model({}), describe).undo).toEqual({ mute: null });
});
