// Metadata of metrics: type, help and unit, as the system that pushes them describes them.
import { isPrintable, MAX_UNIT, unitText } from "../formats/units/unit.ts";
import { MAX_NAME, nameMistake } from "./names.ts";

/** As Prometheus names them, in the order of their numbers in remote write. */
export const metricTypes = [
  ...["unknown", "counter", "gauge", "histogram", "gaugehistogram", "summary", "info", "stateset"],
] as const;

/** What is kept of a bucket. */
export const metadataCaps = { metrics: 10_000, helpCharacters: 1024 } as const;

export interface MetricMetadata {
  /** Of the metric, without the suffixes of the parts of a distribution. */
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly unit: string;
}

/** Metadata of one push: the last of each metric, within the caps. */
export class MetadataSet {
  readonly #byName = new Map<string, MetricMetadata>();

  /** Leaves out what says nothing, and names that no field can have. */
  add({ name, type, help, unit }: MetricMetadata): void {
    if (nameMistake(name) !== undefined || (type === "unknown" && help === "" && unit === "")) return;
    if (this.#byName.size >= metadataCaps.metrics && !this.#byName.has(name)) return;
    this.#byName.set(name, {
      name,
      type,
      help: cut(help, metadataCaps.helpCharacters),
      unit: cut(unit, MAX_NAME),
    });
  }

  list(): readonly MetricMetadata[] {
    return [...this.#byName.values()];
  }
}

/** Parts of a distribution that have its unit; numbers of observations do not. */
const partSuffix = /_(total|sum|min|max|p\d+(_\d+)?)$/;
/** Names of shares of a whole: the unit of such metrics is 1, as that of others that have none. */
const isShare = /(utilization|ratio)$/;

/** The unit of a field by its metric; undefined where nothing is stated. @param unitOf unit of a metric by its name */
export function statedUnit(
  field: string,
  unitOf: (metric: string) => string | undefined,
): string | undefined {
  const metric = unitOf(field) === undefined ? field.replace(partSuffix, "") : field;
  const stated = unitOf(metric)?.trim() ?? "";
  if (stated === "1" && isShare.test(metric)) return "ratio";
  if (stated.length > MAX_UNIT || !isPrintable.test(stated)) return undefined;
  return unitText(stated);
}

function cut(text: string, most: number): string {
  return text.slice(0, most).toWellFormed();
}
