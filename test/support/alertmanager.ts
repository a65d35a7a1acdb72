// Real Prometheus Alertmanager on a free port, in a temporary folder that is removed afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
  const dir = mkdtempSync(join(tmpdir(), "alertmanager-"));
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const address = `127.0.0.1:${listener.port}`;
  listener.stop(true);
  const config = join(dir, "alertmanager.yml");
  await Bun.write(
    config,
    `route: {receiver: test, group_by: [${groupBy}], group_wait: 10ms, group_interval: 100ms, repeat_interval: 1h}
receivers: [{name: test, webhook_configs: [{url: "${webhookUrl}", send_resolved: true}]}]
`,
  );
  const child = Bun.spawn(
    [
      binary!,
      ...[`--config.file=${config}`, `--storage.path=${dir}`, `--web.listen-address=${address}`],
      "--cluster.listen-address=",
    ],
    { stdout: "ignore", stderr: Bun.file(join(dir, "log")) },
  );
  const stop = async () => {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(dir, { recursive: true, force: true });
  };
  const endsAt = performance.now() + 20_000;
  while (child.exitCode === null && performance.now() < endsAt) {
    const answer = await fetch(`http://${address}/-/ready`).catch(() => undefined);
    if (answer?.status === 200) return { url: `http://${address}`, stop };
    await Bun.sleep(20);
  }
  const log = await Bun.file(join(dir, "log")).text();
  await stop();
  throw new Error(`alertmanager did not get ready: ${log.slice(-500)}`);
}
