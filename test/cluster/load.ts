// Clients of a cluster: they read and write through every node that serves, and note what was refused.
import type { ClusterNode } from "./nodes.ts";

const PAUSE_MS = 50;
/** Changed all the time, and never live. */
const MODEL = "written";

export interface LoadFindings {
  readonly requests: number;
  /** Requests that were not answered as they should be, a line each. */
  readonly failures: readonly string[];
}

export interface Load {
  stop(): Promise<LoadFindings>;
}

/** Starts a reader and a writer. @param serving the nodes that a balancer would name now */
export async function startLoad(serving: () => readonly ClusterNode[]): Promise<Load> {
  const features = [{ name: "v", metric: "avg", field: "v" }];
  await serving()[0]!.client.createModel({
    ...{ name: MODEL, type: "donut", default_bucket: "b", bucket_interval: "1s", span: 12, features },
  });
  const failures: string[] = [];
  let requests = 0;
  let isStopping = false;
  const send = async (
    number: number,
    path: string,
    init: RequestInit = {},
  ): Promise<Response | undefined> => {
    const nodes = serving();
    const node = nodes[number % nodes.length]!;
    requests++;
    const answer = await fetch(`${node.server.url}${path}`, init).catch(String);
    if (typeof answer !== "string" && answer.ok) return answer;
    // As a balancer does for a node that has just left.
    if (typeof answer === "string" && !serving().includes(node)) return send(number, path, init);
    const reason = typeof answer === "string" ? answer : `${answer.status} ${await answer.text()}`;
    failures.push(`${node.name} ${path}: ${reason}`);
    return undefined;
  };
  const read = async (number: number) => {
    const to = Date.now() / 1000;
    for (const path of ["/models", "/anomalies", `/models/m0/_series?from=${to - 60}&to=${to}`])
      await (await send(number, path))?.arrayBuffer();
  };
  const write = async (number: number) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ max_threshold: 60 + (number % 40) });
    await send(number, `/models/${MODEL}`, { method: "PATCH", headers, body });
    const answer = await send(number + 1, `/models/${MODEL}`);
    const [view] = ((await answer?.json()) ?? []) as { settings: { max_threshold: number } }[];
    if (view && view.settings.max_threshold !== 60 + (number % 40))
      failures.push(`change ${number} is missing`);
  };
  const repeat = async (work: (number: number) => Promise<void>) => {
    for (let number = 0; !isStopping; number++) {
      await work(number);
      await Bun.sleep(PAUSE_MS);
    }
  };
  const clients = [repeat(read), repeat(write)];
  const stop = async () => {
    isStopping = true;
    await Promise.all(clients);
    return { requests, failures };
  };
  return { stop };
}
