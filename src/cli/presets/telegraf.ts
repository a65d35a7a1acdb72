// Preset telegraf: hosts with Telegraf, in InfluxDB or a local bucket.
import type { Preset } from "./preset.ts";

const VIRTUAL_INTERFACES = /^(lo|all|veth|docker|br-|virbr|cni|flannel|cali|tap|tun|dummy)/;
const VIRTUAL_PATHS = /^\/(run|sys|proc|dev|snap)(\/|$)/;

export const telegraf: Preset = {
  name: "telegraf",
  source: "hosts with Telegraf",
  hostTag: "host",
  rows: [
    {
      name: "cpu_user",
      measurement: "cpu",
      field: "usage_user",
      metric: "avg",
      match: { cpu: "cpu-total" },
      anomalyType: "high",
    },
    {
      name: "cpu_idle",
      measurement: "cpu",
      field: "usage_idle",
      metric: "avg",
      match: { cpu: "cpu-total" },
      anomalyType: "low",
    },
    { name: "memory_used", measurement: "mem", field: "used_percent", metric: "avg", anomalyType: "high" },
    {
      name: "disk_used",
      measurement: "disk",
      field: "used_percent",
      metric: "avg",
      per: { tag: "path", skip: VIRTUAL_PATHS },
      anomalyType: "high",
    },
    {
      name: "network_in",
      measurement: "net",
      field: "bytes_recv",
      metric: "rate",
      per: { tag: "interface", skip: VIRTUAL_INTERFACES },
      anomalyType: "low_high",
    },
    {
      name: "network_out",
      measurement: "net",
      field: "bytes_sent",
      metric: "rate",
      per: { tag: "interface", skip: VIRTUAL_INTERFACES },
      anomalyType: "low_high",
    },
    { name: "load", measurement: "system", field: "load1", metric: "avg", anomalyType: "high" },
  ],
};
