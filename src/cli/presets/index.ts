// Registry of the presets in the program, in the order of the lists.
import blackbox from "./files/blackbox.yml" with { type: "yaml" };
import cadvisor from "./files/cadvisor.yml" with { type: "yaml" };
import certificates from "./files/certificates.yml" with { type: "yaml" };
import elasticsearch from "./files/elasticsearch.yml" with { type: "yaml" };
import fronius from "./files/fronius.yml" with { type: "yaml" };
import haproxy from "./files/haproxy.yml" with { type: "yaml" };
import kubeState from "./files/kube_state.yml" with { type: "yaml" };
import kubernetes from "./files/kubernetes.yml" with { type: "yaml" };
import luxtronik from "./files/luxtronik.yml" with { type: "yaml" };
import mongodb from "./files/mongodb.yml" with { type: "yaml" };
import mysqld from "./files/mysqld.yml" with { type: "yaml" };
import nginx from "./files/nginx.yml" with { type: "yaml" };
import nodeExporter from "./files/node_exporter.yml" with { type: "yaml" };
import nvidia from "./files/nvidia.yml" with { type: "yaml" };
import postgres from "./files/postgres.yml" with { type: "yaml" };
import rabbitmq from "./files/rabbitmq.yml" with { type: "yaml" };
import redis from "./files/redis.yml" with { type: "yaml" };
import restic from "./files/restic.yml" with { type: "yaml" };
import smartctl from "./files/smartctl.yml" with { type: "yaml" };
import snmp from "./files/snmp.yml" with { type: "yaml" };
import speedtest from "./files/speedtest.yml" with { type: "yaml" };
import telegraf from "./files/telegraf.yml" with { type: "yaml" };
import telegrafDocker from "./files/telegraf_docker.yml" with { type: "yaml" };
import traefik from "./files/traefik.yml" with { type: "yaml" };
import windows from "./files/windows.yml" with { type: "yaml" };
import zigbee2mqtt from "./files/zigbee2mqtt.yml" with { type: "yaml" };
import type { Preset } from "./preset.ts";

export const presets: readonly Preset[] = [
  nodeExporter,
  windows,
  telegraf,
  telegrafDocker,
  cadvisor,
  kubernetes,
  kubeState,
  blackbox,
  certificates,
  nginx,
  traefik,
  haproxy,
  postgres,
  mysqld,
  mongodb,
  redis,
  elasticsearch,
  rabbitmq,
  snmp,
  smartctl,
  nvidia,
  speedtest,
  zigbee2mqtt,
  fronius,
  luxtronik,
  restic,
];
