// Registry of presets for `torus watch`.
import { blackbox } from "./blackbox.ts";
import { kubernetes } from "./kubernetes.ts";
import { nodeExporter } from "./node-exporter.ts";
import type { Preset } from "./preset.ts";
import { telegraf } from "./telegraf.ts";

export const presets: readonly Preset[] = [nodeExporter, telegraf, blackbox, kubernetes];
