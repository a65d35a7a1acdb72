// Command list-nodes: the nodes that share the state.
import type { ClusterNodeView, ClusterView } from "../../../api/server/cluster.ts";
import { defineCommand } from "../../command/command.ts";
import { answerTable } from "../../output/present.ts";

export const listNodes = defineCommand({
  name: "list-nodes",
  group: "administration",
  summary: "List the nodes that share the state, with shards, lease and clock",
  details: [
    "LEASE is the time left until other nodes take over, negative where the node is gone; SKEW is its clock against that",
    "of the database.",
  ],
  examples: [["torus list-nodes", "who does the live work, and whose clock is off"]],
  async run(context) {
    const cluster = await context.client.call<ClusterView>("GET /_cluster");
    answerTable(context, cluster.nodes, {
      columns: [
        { title: "NAME", value: ({ name }) => name },
        { title: "ADDRESS", value: ({ address }) => address || "-" },
        { title: "WORK", value: ({ work }) => work.join(", ") || "-" },
        {
          title: "SHARDS",
          align: "right",
          value: ({ shards }) => String(shards),
          raw: ({ shards }) => shards,
        },
        secondsColumn("LEASE", ({ lease_seconds }) => lease_seconds),
        secondsColumn("SKEW", ({ clock_skew_seconds }) => clock_skew_seconds),
        { title: "VERSION", value: ({ version }) => version },
      ],
      name: ({ name }) => name,
      empty: "no node has a lease",
    });
    for (const { name } of cluster.nodes.filter(({ settings_differ }) => settings_differ))
      context.note(`the settings of ${name} differ from those of the node that answered`);
    if (cluster.shards_without_owner > 0)
      context.note(`${cluster.shards_without_owner} shards have no owner: their models are not evaluated`);
  },
});

/** Seconds; `-` where there are none. */
function secondsColumn(title: string, read: (node: ClusterNodeView) => number | undefined) {
  return {
    title,
    align: "right" as const,
    value: (node: ClusterNodeView) => {
      const seconds = read(node);
      return seconds === undefined ? "-" : `${seconds} s`;
    },
    raw: (node: ClusterNodeView) => read(node),
  };
}
