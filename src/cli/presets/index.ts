// Registry of the presets in the program, in the order of the lists.
import blackbox from "./files/blackbox.yml" with { type: "yaml" };
import kubernetes from "./files/kubernetes.yml" with { type: "yaml" };
import nodeExporter from "./files/node_exporter.yml" with { type: "yaml" };
import telegraf from "./files/telegraf.yml" with { type: "yaml" };
import type { Preset } from "./preset.ts";

export const presets: readonly Preset[] = [nodeExporter, telegraf, blackbox, kubernetes];
