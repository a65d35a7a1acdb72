// Drift as an event: once when it begins, once when it is over.
import { beforeEach, expect, test } from "bun:test";
import { fakeKind, MINUTE, NOON, useLiveWorld } from "../world.ts";

const world = useLiveWorld();
beforeEach(() => world.begin());

test("a drift begins and ends with an event each", async () => {
  let drift: { feature: string; sinceAt: number; share: number } | undefined;
  const { evaluate } = fakeKind;
  world.kind.evaluate = async (...args: Parameters<typeof evaluate>) => ({
    ...(await evaluate(...args)),
    ...(drift && { drift }),
  });
  await world.makeModel("m");
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  drift = { feature: "f", sinceAt: NOON, share: 0.2 };
  await world.pass(5 * MINUTE);
  drift = undefined;
  await world.pass(5 * MINUTE);
  expect(world.events).toMatchObject([
    { kind: "drift_start", startedAt: NOON, severity: "info", drift: { feature: "f", share: 0.2 } },
    { kind: "drift_end" },
  ]);
});
