// Preset kubernetes: namespaces, with metrics of cAdvisor and kube-state-metrics in Prometheus.
import type { Preset } from "./preset.ts";

export const kubernetes: Preset = {
  name: "kubernetes",
  source: "namespaces in Prometheus",
  hostTag: "namespace",
  rows: [
    // Per namespace: pods are too short-lived to learn from.
    {
      name: "pod_restarts",
      field: "kube_pod_container_status_restarts_total",
      metric: "rate",
      anomalyType: "high",
    },
    { name: "cpu", field: "container_cpu_usage_seconds_total", metric: "rate", anomalyType: "low_high" },
    { name: "memory", field: "container_memory_working_set_bytes", metric: "avg", anomalyType: "high" },
  ],
};
