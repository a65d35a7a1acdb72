// Preset blackbox: endpoints probed by blackbox_exporter, in Prometheus.
import type { Preset } from "./preset.ts";

export const blackbox: Preset = {
  name: "blackbox",
  source: "probed endpoints in Prometheus",
  hostTag: "instance",
  rows: [
    { name: "probe_duration", field: "probe_duration_seconds", metric: "avg", anomalyType: "high" },
    { name: "probe_success", field: "probe_success", metric: "avg", anomalyType: "low" },
  ],
};
