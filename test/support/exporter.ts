// Exporter of many targets on one port, with their HTTP discovery.
export interface Exporter {
  /** Values of the metric by target; one that is taken out is neither discovered nor answered. */
  readonly targets: Map<string, () => number>;
  /** For `startPrometheus`: one job that scrapes all targets every second, its label `instance` is the target. */
  readonly scrape: object;
  stop(): Promise<void>;
}

/** Starts one on a free port. @param metric name of the gauge of each target */
export function startExporter(metric: string): Exporter {
  const targets = new Map<string, () => number>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/targets") return Response.json([{ targets: [...targets.keys()] }]);
      const value = targets.get(searchParams.get("target") ?? "");
      if (!value) return new Response("no such target", { status: 404 });
      return new Response(`${metric} ${value()}\n`, {
        headers: { "Content-Type": "text/plain; version=0.0.4" },
      });
    },
  });
  const addr = `127.0.0.1:${server.port}`;
  const scrape = {
    job_name: "hosts",
    scrape_interval: "1s",
    scrape_timeout: "1s",
    http_sd_configs: [{ url: `http://${addr}/targets`, refresh_interval: "1s" }],
    relabel_configs: [
      { source_labels: ["__address__"], target_label: "__param_target" },
      { source_labels: ["__address__"], target_label: "instance" },
      { target_label: "__address__", replacement: addr },
    ],
  };
  return { targets, scrape, stop: () => server.stop(true) };
}
