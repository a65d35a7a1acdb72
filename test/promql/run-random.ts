// Command: `npm run test:promql [-- SEED [COUNT]]` asks random queries here and of a real Prometheus.
import { prometheusMissing } from "../support/prometheus.ts";
import { compareRandom } from "./differential.ts";

const COUNT = 1500;
const SHOWN = 20;

if (prometheusMissing) {
  console.error(prometheusMissing);
  process.exit(2);
}
const [seed = 1, count = COUNT] = process.argv.slice(2).map(Number);
const { differences, intended, answered, refused } = await compareRandom(seed, count);
for (const { query, found, wanted } of differences.slice(0, SHOWN))
  console.log(`${query}\n  here:       ${found.slice(0, 300)}\n  Prometheus: ${wanted.slice(0, 300)}`);
console.log(
  `${count} queries of seed ${seed}: ${differences.length} differ, ${intended} on purpose; ${answered} with a result, ${refused} refused by both`,
);
process.exit(differences.length === 0 ? 0 : 1);
