// Preset node_exporter: hosts in Prometheus.
import type { Preset } from "./preset.ts";

const VIRTUAL_DEVICES = /^(lo|veth|docker|br-|virbr|cni|flannel|cali|tap|tun|dummy)/;
const VIRTUAL_MOUNTS = /^\/(run|sys|proc|dev|snap)(\/|$)|\/(docker|containerd|kubelet)\//;

export const nodeExporter: Preset = {
  name: "node_exporter",
  source: "hosts in Prometheus",
  hostTag: "instance",
  rows: [
    // Idle seconds per second, over all processors: low = busy.
    {
      name: "cpu_idle",
      field: "node_cpu_seconds_total",
      metric: "rate",
      match: { mode: "idle" },
      anomalyType: "low",
    },
    { name: "load", field: "node_load1", metric: "avg", anomalyType: "high" },
    { name: "memory_available", field: "node_memory_MemAvailable_bytes", metric: "avg", anomalyType: "low" },
    {
      name: "disk_free",
      field: "node_filesystem_avail_bytes",
      metric: "avg",
      per: { tag: "mountpoint", skip: VIRTUAL_MOUNTS },
      anomalyType: "low",
    },
    {
      name: "network_in",
      field: "node_network_receive_bytes_total",
      metric: "rate",
      per: { tag: "device", skip: VIRTUAL_DEVICES },
      anomalyType: "low_high",
    },
    {
      name: "network_out",
      field: "node_network_transmit_bytes_total",
      metric: "rate",
      per: { tag: "device", skip: VIRTUAL_DEVICES },
      anomalyType: "low_high",
    },
    { name: "disk_io", field: "node_disk_io_time_seconds_total", metric: "rate", anomalyType: "high" },
  ],
};
