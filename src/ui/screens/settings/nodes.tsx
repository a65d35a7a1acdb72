// Nodes that share the state, with lease, shards and clock; nothing where the state is a file.
import { useEffect } from "preact/hooks";
import type { ClusterNodeView, ClusterView } from "../../../api/server/cluster.ts";
import { formatSeconds } from "../../lib/format.ts";
import { ProblemNote } from "../../parts/notes.tsx";
import { Table } from "../../parts/table.tsx";
import { language, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { request } from "../../state/session.ts";

const POLL_MS = 15_000;

const cluster = createResource((signal) => request<ClusterView>("/_cluster", { signal }));

export function Nodes() {
  useEffect(() => cluster.follow(POLL_MS, []), []);
  const { title, columns, unowned, synchronous } = texts.value.nodesCard;
  const { value, problem } = cluster.loaded.value;
  if (!value?.shared) return null;
  return (
    <section class="card" aria-labelledby="nodes">
      <h2 id="nodes">{title}</h2>
      {problem && <ProblemNote problem={problem} again={() => void cluster.refresh()} />}
      {value.shards_without_owner > 0 && <p class="bad">{unowned(value.shards_without_owner)}</p>}
      <Table titles={Object.values(columns)}>
        {value.nodes.map((node) => (
          <Row key={node.id} node={node} isOwn={node.id === value.answered_by} />
        ))}
      </Table>
      {value.synchronous !== undefined && (
        <p class="quiet">{value.synchronous ? synchronous.on : synchronous.off}</p>
      )}
    </section>
  );
}

function Row({ node, isOwn }: { node: ClusterNodeView; isOwn: boolean }) {
  const { works, own, gone, differs } = texts.value.nodesCard;
  const { name, address, version, work, shards, lease_seconds: lease = 0, clock_skew_seconds: skew } = node;
  return (
    <tr>
      <th scope="row">
        {name} {isOwn && <small>{own}</small>}
        {node.settings_differ && <small class="bad">{differs}</small>}
      </th>
      <td>{address}</td>
      <td>{work.map((part) => works[part]).join(", ") || works.none}</td>
      <td>{shards}</td>
      <td>{lease > 0 ? formatSeconds(lease, language.value) : <strong class="bad">{gone}</strong>}</td>
      <td>{formatSeconds(skew, language.value)}</td>
      <td>{version}</td>
    </tr>
  );
}
