// Real Prometheus Alertmanager on a free port, in a temporary folder that is removed afterwards.
import { join } from "node:path";
import { findFreePort, makeFolder, spawnServer } from "./spawned.ts";

const binary = Bun.which("prometheus-alertmanager") ?? Bun.which("alertmanager");

/** Why tests against the real server cannot run here; undefined where they can. */
export const alertmanagerMissing: string | undefined = binary
  ? undefined
  : "prometheus-alertmanager is not installed; its tests are skipped";

export interface Alertmanager {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one that sends its notifications to `webhookUrl`. */
export async function startAlertmanager(webhookUrl: string, groupBy = "model"): Promise<Alertmanager> {
  const dir = makeFolder("alertmanager");
  const address = `127.0.0.1:${findFreePort()}`;
  const config = join(dir, "alertmanager.yml");
  await Bun.write(
    config,
    `route: {receiver: test, group_by: [${groupBy}], group_wait: 10ms, group_interval: 100ms, repeat_interval: 1h}
receivers: [{name: test, webhook_configs: [{url: "${webhookUrl}", send_resolved: true}]}]
`,
  );
  const flags = [`--config.file=${config}`, `--storage.path=${dir}`, `--web.listen-address=${address}`];
  const isReady = async () => (await fetch(`http://${address}/-/ready`)).status === 200;
  const command = [binary!, ...flags, "--cluster.listen-address="];
  return { url: `http://${address}`, stop: await spawnServer({ command, dir, isReady }) };
}
