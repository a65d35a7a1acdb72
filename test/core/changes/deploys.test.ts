// Deployments good and bad among chance anomalies: the bad ones are named, and of the good ones hardly any is blamed.
import { expect, test } from "bun:test";
import { attribute, findCandidates, type Subject } from "../../../src/core/changes/attribution.ts";
import type { RecordedChange } from "../../../src/core/changes/change.ts";
import { valuesByTag } from "../../../src/core/changes/tags.ts";
import { createRandom } from "../../../wasm/random.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const DAYS = 20;
const SERVICES = 8;
const DEPLOYS = 20;
const BAD = 6;
/** Anomalies of a service per day that nothing explains. */
const CHANCE_PER_DAY = 0.3;

interface Alarm {
  readonly service: string;
  readonly at: number;
  /** Id of the deployment that caused it; undefined: chance. */
  readonly cause?: string;
}

/** Deployments at random, each of one service and sometimes two at once; a bad one shows within two intervals. */
function simulate(seed: number): { readonly changes: RecordedChange[]; readonly alarms: Alarm[] } {
  const random = createRandom(seed);
  const changes: RecordedChange[] = [];
  const alarms: Alarm[] = [];
  for (let i = 0; i < DEPLOYS; i++) {
    const service = `s${random.below(SERVICES)}`;
    const at = Math.floor((DAY + random.uniform() * (DAYS - 1) * DAY) / MINUTE) * MINUTE;
    const change = {
      id: `d${i}`,
      at,
      endAt: at + 3 * MINUTE,
      kind: "deploy",
      title: `${service} ${i}`,
      url: null,
    };
    changes.push({ ...change, tags: { service, version: String(i) } });
    // Another service is deployed at the same time.
    if (i % 4 === 0)
      changes.push({ ...change, id: `o${i}`, tags: { service: `other${i}`, version: String(i) } });
    if (i < BAD) alarms.push({ service, at: at + (1 + random.below(2)) * MINUTE, cause: `d${i}` });
  }
  for (let s = 0; s < SERVICES; s++)
    for (let day = 0; day < DAYS; day++)
      if (random.uniform() < CHANCE_PER_DAY)
        alarms.push({ service: `s${s}`, at: day * DAY + Math.floor(random.uniform() * 1440) * MINUTE });
  return { changes, alarms };
}

/** The change that an alarm is put down to. */
function namedFor({ service, at }: Alarm, changes: readonly RecordedChange[], alarms: readonly Alarm[]) {
  const subject: Subject = { startAt: at, intervalMs: MINUTE, tags: valuesByTag([{ service, env: "prod" }]) };
  const starts = alarms.flatMap((alarm) => (alarm.service === service && alarm.at < at ? [alarm.at] : []));
  const [first] = attribute(findCandidates(subject, changes), {
    ...{ subject, changes, past: { starts, sinceAt: 0 } },
  });
  return first?.id;
}

test("every bad deployment is named, at most one good one in twenty is blamed", () => {
  let [named, bad, blamed, good] = [0, 0, 0, 0];
  for (let seed = 1; seed <= 10; seed++) {
    const { changes, alarms } = simulate(seed);
    const guilty = new Set<string>();
    for (const alarm of alarms) {
      const found = namedFor(alarm, changes, alarms);
      if (alarm.cause !== undefined && found === alarm.cause) named++;
      if (found !== undefined && alarm.cause !== found) guilty.add(found);
    }
    bad += BAD;
    blamed += [...guilty].filter((id) => Number(id.slice(1)) >= BAD).length;
    good += DEPLOYS - BAD;
  }
  expect([named, bad]).toEqual([bad, bad]);
  expect(blamed / good).toBeLessThanOrEqual(1 / 20);
});
