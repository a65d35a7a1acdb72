// Draws of compositions, which are series made at random.
import type { Random } from "../../wasm/random.ts";

export interface Draw {
  readonly within: (least: number, most: number) => number;
  /** As likely in each decade. */
  readonly power: (least: number, most: number) => number;
  readonly pick: <T>(values: readonly T[]) => T;
  readonly chance: (share: number) => boolean;
}

export function drawOf(random: Random): Draw {
  const within = (least: number, most: number) => least + (most - least) * random.uniform();
  return {
    within,
    power: (least, most) => Math.exp(within(Math.log(least), Math.log(most))),
    pick: (values) => values[random.below(values.length)]!,
    chance: (share) => random.uniform() < share,
  };
}
