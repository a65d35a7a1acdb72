// Shards of a node: its share once it is prepared for live work, all of them where no other node does it.
import { expect, test } from "bun:test";
import { ShardOwner } from "../../src/cluster/shard-owner.ts";
import { SHARDS } from "../../src/core/ownership.ts";
import type { BeatAnswer } from "../../src/store/postgres/nodes.ts";
import { drain } from "../jobs/fakes.ts";

const member = {
  id: "a",
  isGood: true,
  isPreparing: false,
  work: ["live", "jobs"] as readonly string[],
  clockSkewMs: 0,
  retire: async () => {},
};
const preparing = { ...member, isPreparing: true, work: ["jobs"] };

/** An owner whose database has free shards: it answers with as many as are asked for. */
function makeOwner(facts: typeof member): ShardOwner {
  let taken = 0;
  const query = async (text: string, params: readonly unknown[] = []) =>
    text.includes("fence + 1") ? Array.from({ length: params[1] as number }, () => [taken++]) : [];
  return new ShardOwner({ session: { query }, member: facts, onError: () => {} });
}

/** What the database answers to a beat of a node without shards. */
const answer = (liveNodes: number, shards = 0): BeatAnswer => ({
  ...{ isHeld: true, nodes: 3, liveNodes, deadNodes: 0, shards, freeShards: SHARDS, at: 0, elsewhere: [] },
});

test.each([
  { node: "prepared, with two others", facts: member, liveNodes: 3, shards: Math.ceil(SHARDS / 3) },
  { node: "in preparation beside two others", facts: preparing, liveNodes: 2, shards: 0 },
  { node: "in preparation, alone", facts: preparing, liveNodes: 0, shards: SHARDS },
  { node: "without live work", facts: { ...member, work: ["jobs"] }, liveNodes: 2, shards: 0 },
  { node: "with a wrong clock", facts: { ...member, clockSkewMs: 60_000 }, liveNodes: 2, shards: 0 },
])("a node $node has $shards", async ({ facts, liveNodes, shards }) => {
  const owner = makeOwner(facts);
  await owner.rebalance(answer(liveNodes));
  expect(owner.size).toBe(shards);
});

test("of too many it gives away those that it has had for longest", async () => {
  const owner = makeOwner(member);
  await owner.rebalance(answer(4));
  await owner.rebalance(answer(2, SHARDS / 4));
  expect(owner.size).toBe(SHARDS / 2);
  await owner.rebalance(answer(4, SHARDS / 2));
  await drain();
  expect(owner.shards).toEqual(Array.from({ length: SHARDS / 4 }, (_, i) => SHARDS / 4 + i));
});

test("what is given away is owned until its deliveries have ended", async () => {
  const owner = makeOwner(member);
  const delivered = Promise.withResolvers<void>();
  const calls: string[] = [];
  owner.addUser({
    gain: async () => {},
    drain: (shards) => {
      calls.push(`drain ${shards.length}`);
      return delivered.promise;
    },
    lose: async (shards) => void calls.push(`lose ${shards.length}`),
  });
  await owner.rebalance(answer(1));
  for (const _ of ["a beat", "the next one"]) await owner.rebalance(answer(2, SHARDS));
  expect([owner.size, ...calls]).toEqual([SHARDS, `drain ${SHARDS / 2}`]);
  delivered.resolve();
  await drain();
  expect([owner.size, ...calls]).toEqual([SHARDS / 2, `drain ${SHARDS / 2}`, `lose ${SHARDS / 2}`]);
});

test("shards that are lost while they are drained are not given away", async () => {
  const facts = { ...member };
  const owner = makeOwner(facts);
  const delivered = Promise.withResolvers<void>();
  const lost: number[] = [];
  owner.addUser({
    gain: async () => {},
    drain: () => delivered.promise,
    lose: async (shards) => void lost.push(shards.length),
  });
  await owner.rebalance(answer(1));
  await owner.rebalance(answer(2, SHARDS));
  await owner.drop();
  facts.id = "b";
  await owner.rebalance(answer(2));
  delivered.resolve();
  await drain();
  expect([owner.size, ...lost]).toEqual([SHARDS / 2, SHARDS]);
});
