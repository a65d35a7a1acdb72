// Names and tags of a pushed series, within the limits of points; the tags of one series are one object.
import { MAX_NAME, MAX_TAG_VALUE, MAX_TAGS, nameMistake } from "../../core/series/names.ts";
import type { SeriesName } from "../../core/series/samples.ts";
import type { Tally } from "./tally.ts";

const NAME = "__name__";
const MAX_SHOWN = 64;

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
   * @param points of the series, which are counted as refused with it
   * @returns undefined for a series that is refused
   */
  finish(points: number, tally: Tally): SeriesName | undefined {
    const name = this.name();
    if (!name) this.refuse(points, tally);
    return name;
  }

  /** @returns undefined for a series that is refused */
  name(): SeriesName | undefined {
    if (this.#mistake !== undefined || checkMetric(this.#metric) !== undefined) return undefined;
    return { metric: this.#metric, tags: this.#tags };
  }

  /** Counts points as refused, and says why. */
  refuse(points: number, tally: Tally): void {
    const shown = JSON.stringify(this.#metric.slice(0, MAX_SHOWN));
    const mistake = this.#mistake ?? checkMetric(this.#metric);
    tally.refuse(this.#mistake === undefined ? "name" : "label", points, `series ${shown} ${mistake}`);
  }

  #check(name: string, value: string): string | undefined {
    const shown = JSON.stringify(name.slice(0, MAX_SHOWN));
    const mistake = nameMistake(name);
    if (mistake === "empty") return "has a label without a name";
    if (mistake === "reserved") return `has the label ${shown}, which is reserved: rename or drop it`;
    if (mistake === "long") return `has a label whose name is longer than ${MAX_NAME} characters: drop it`;
    if (value.length > MAX_TAG_VALUE)
      return `has a value of label ${shown} that is longer than ${MAX_TAG_VALUE} characters: drop it`;
    if (Object.hasOwn(this.#tags, name)) return `has the label ${shown} twice`;
    return this.#count >= MAX_TAGS ? `has more than ${MAX_TAGS} labels: drop some` : undefined;
  }
}

/** @returns what is wrong with a name of a field */
export function checkMetric(metric: string): string | undefined {
  const mistake = nameMistake(metric);
  if (mistake === "empty") return "has no name";
  if (mistake === "reserved") return "has a name that is reserved: rename it";
  return mistake && `has a name that is longer than ${MAX_NAME} characters`;
}
