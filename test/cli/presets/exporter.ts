// A real exporter, scraped by a real Prometheus, and the models that its preset plans there.
import { presets } from "../../../src/cli/presets/index.ts";
import type { PlannedModel } from "../../../src/cli/presets/plan.ts";
import { prometheusMissing, startPrometheus } from "../../support/prometheus.ts";
import { makeFolder, spawnServer } from "../../support/spawned.ts";
import type { useSession } from "../session.ts";

type Session = ReturnType<typeof useSession>;

/** Why tests with a program cannot run here; undefined where they can. */
export function missing(program: string, debian = program): string | undefined {
  if (prometheusMissing || Bun.which(program)) return prometheusMissing;
  return `${program} is not installed (apt-get install -y --no-install-recommends ${debian}); its tests are skipped`;
}

export interface Exporter {
  readonly command: readonly string[];
  readonly port: number;
  /** Rest of its scrape configuration. */
  readonly scrape?: object;
}

/** Starts an exporter and a Prometheus, and plans the preset. @returns the parts of planned models, and the notes */
export async function planOn(session: Session, preset: string, { command, port, scrape }: Exporter) {
  const stop = await spawnServer({
    dir: makeFolder(preset),
    command,
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).ok,
  });
  const job = { job_name: preset, scrape_interval: "1s", scrape_timeout: "1s" };
  const targets = [`127.0.0.1:${port}`];
  const prometheus = await startPrometheus({
    scrape: [{ ...job, static_configs: [{ targets }], ...scrape }],
  });
  try {
    const query = `http://${prometheus.addr}/api/v1/query?query=up%20==%201`;
    while (!(await (await fetch(query)).text()).includes('"value"')) await Bun.sleep(100);
    const bucket = { name: preset, type: "prometheus", addr: prometheus.addr };
    await session.ok("create-bucket -", { input: JSON.stringify(bucket) });
    const { out, err } = await session.torus(`watch ${preset} --preset ${preset} --dry-run --json`);
    const planned = JSON.parse(out) as PlannedModel[];
    return { names: [...new Set(planned.map(({ features }) => features[0]!.name))], err };
  } finally {
    await prometheus.stop();
    await stop();
  }
}

/** Names of the models of a preset. */
export const namesOf = (name: string) =>
  presets.find((preset) => preset.name === name)!.models.map((model) => model.name);
