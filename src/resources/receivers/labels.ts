// Names and tags of a pushed series, within the limits of points; the tags of one series are one object.
import type { Tally } from "./tally.ts";

const NAME = "__name__";
const MAX_NAME = 256;
const MAX_VALUE = 1024;
/** Tags of a series, as in Prometheus's own receivers with a limit. */
const MAX_LABELS = 128;
const MAX_SHOWN = 64;
/** Names that no tag may have; see `_write`. */
const reserved: ReadonlySet<string> = new Set(["time", "__proto__"]);

export interface SeriesName {
  readonly metric: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Collects the labels of a series, in any order. */
export class LabelSet {
  #metric = "";
  #count = 0;
  #mistake: string | undefined;
  readonly #tags: Record<string, string> = {};

  add(name: string, value: string): void {
    // An empty label is the same as none.
    if (value === "" || this.#mistake !== undefined) return;
    if (name === NAME) {
      if (this.#metric !== "") this.#mistake = "has two names";
      this.#metric = value;
      return;
    }
    this.#mistake = this.#check(name, value);
    this.#tags[name] = value;
    this.#count++;
  }

  /**
   * @param points of the series, which are counted as refused where it cannot be
   * @returns undefined where it cannot be
   */
  finish(points: number, tally: Tally): SeriesName | undefined {
    const shown = JSON.stringify(this.#metric.slice(0, MAX_SHOWN));
    if (this.#mistake !== undefined) {
      tally.refuse("label", points, `series ${shown} ${this.#mistake}`);
      return undefined;
    }
    const mistake = checkMetric(this.#metric);
    if (mistake === undefined) return { metric: this.#metric, tags: this.#tags };
    tally.refuse("name", points, `series ${shown} ${mistake}`);
    return undefined;
  }

  #check(name: string, value: string): string | undefined {
    const shown = JSON.stringify(name.slice(0, MAX_SHOWN));
    if (name === "") return "has a label without a name";
    if (reserved.has(name)) return `has the label ${shown}, which is reserved: rename or drop it`;
    if (name.length > MAX_NAME)
      return `has a label whose name is longer than ${MAX_NAME} characters: drop it`;
    if (value.length > MAX_VALUE)
      return `has a value of label ${shown} that is longer than ${MAX_VALUE} characters: drop it`;
    if (Object.hasOwn(this.#tags, name)) return `has the label ${shown} twice`;
    return this.#count >= MAX_LABELS ? `has more than ${MAX_LABELS} labels: drop some` : undefined;
  }
}

/** @returns what is wrong with a name of a field */
export function checkMetric(metric: string): string | undefined {
  if (metric === "") return "has no name";
  if (reserved.has(metric)) return "has a name that is reserved: rename it";
  return metric.length > MAX_NAME ? `has a name that is longer than ${MAX_NAME} characters` : undefined;
}
