// Namespaces of Kubernetes: containers as cadvisor sees them, restarts as kube-state-metrics counts them.
import type { Preset } from "./preset.ts";

export const kubernetes: Preset = {
  name: "kubernetes",
  source: "namespaces in Prometheus",
  hostTag: "namespace",
  rows: [
    // Pods come and go: a namespace is what lasts.
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
