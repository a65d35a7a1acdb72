// Command: `npm run test:crash` kills at every single statement, and counts lost and repeated events.
import { countStatements, dieAndComeBack, judgeOutcome } from "./grid.ts";

const statements = await countStatements();
let [kills, lost, repeated] = [0, 0, 0];
for (let killAt = 1; killAt <= statements; killAt++) {
  const outcome = await dieAndComeBack(killAt);
  // A life that did not come so far has proven nothing.
  if (outcome.killAt > 0) kills++;
  const fault = judgeOutcome(outcome);
  if (fault) {
    lost++;
    console.log(`killed at statement ${killAt}: ${fault}`);
  }
  if (outcome.delivered.length > 2) repeated += outcome.delivered.length - 2;
}
console.log(`${statements} places, ${kills} kills, ${lost} with a fault, ${repeated} events delivered again`);
process.exit(lost === 0 && kills === statements ? 0 : 1);
