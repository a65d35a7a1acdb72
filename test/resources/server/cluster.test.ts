// Nodes of a cluster as clients see them: whose lease counts, whose settings differ, where they listen.
import { expect, test } from "bun:test";
import { ClusterNodes, type ListedNode, publishedAddress } from "../../../src/resources/server/cluster.ts";

const node: ListedNode = {
  ...{ id: "1", name: "a", host: "host-a", address: "0.0.0.0:8077", version: "2.0.0", work: ["live"] },
  ...{ settingsHash: "x", startedAt: 1500, leaseMs: 4200.4, clockSkewMs: -2.6, shards: 512 },
};

function make(nodes: readonly ListedNode[], synchronous?: boolean) {
  return new ClusterNodes({
    name: "torus",
    isShared: true,
    own: () => ({ id: "1", settingsHash: "x" }),
    listNodes: async () => nodes,
    isSynchronous: async () => synchronous,
  });
}

test("times are seconds, to the millisecond; what is not known is absent", async () => {
  expect(await make([node]).describe()).toEqual({
    ...{ name: "torus", shared: true, answered_by: "1", shards_without_owner: 512 },
    nodes: [
      {
        ...{ id: "1", name: "a", host: "host-a", address: "host-a:8077", version: "2.0.0", work: ["live"] },
        ...{ shards: 512, lease_seconds: 4.2, clock_skew_seconds: -0.003, started_timestamp: 1.5 },
      },
    ],
  });
  expect((await make([], false).describe()).synchronous).toBe(false);
});

test("shards of a node that is gone have no owner, and it is not listed as alive", async () => {
  const gone = { ...node, id: "2", leaseMs: -800 };
  const nodes = make([node, gone]);
  const { shards_without_owner, nodes: views } = await nodes.describe();
  expect([shards_without_owner, views.map(({ lease_seconds }) => lease_seconds)]).toEqual([512, [4.2, -0.8]]);
  expect(await nodes.listAlive()).toEqual([node]);
});

test("only settings that differ from those of the node that answers are named", async () => {
  const { nodes } = await make([node, { ...node, id: "2", settingsHash: "y" }]).describe();
  expect(nodes.map(({ settings_differ }) => settings_differ)).toEqual([undefined, true]);
});

test.each([
  ["0.0.0.0:8077", "host-a:8077"],
  ["[::]:8077", "host-a:8077"],
  ["10.0.0.7:8077", "10.0.0.7:8077"],
  ["[::1]:8077", "[::1]:8077"],
  ["", ""],
])("a node that listens on %p is reached at %p", (address, published) => {
  expect(publishedAddress({ address, host: "host-a" })).toBe(published);
});
