// Command: `npm run test:soak` has a server do 10 000 training steps and 100 000 scorings; its memory stays level. 2 min.
import { growthOf, soak } from "./soak.ts";

/** Heaps are tidied when they please. */
const LEVEL_MB = 32;

const onRound = (round: number, residentMb: number) =>
  console.log(`round ${round + 1}: ${residentMb.toFixed(0)} MB`);
const soaked = await soak({ rounds: 20, steps: 500, requests: 100, onRound });
const growth = growthOf(soaked);
console.log(
  `${soaked.steps} training steps, ${soaked.scorings} scorings: memory ${growth < 0 ? "fell" : "grew"} by ${Math.abs(growth).toFixed(1)} MB after the warm-up (at most ${LEVEL_MB})`,
);
process.exit(growth <= LEVEL_MB ? 0 : 1);
