// The agenda: slots in order, moved and removed, none of a paused job.
import { expect, test } from "bun:test";
import { checkScheduledJob } from "../../src/core/time/scheduled-job.ts";
import { Agenda } from "../../src/scheduler/agenda.ts";

const MINUTE = 60_000;

function aJob(name: string, minutes: number, enabled = true) {
  const every = { count: minutes, unit: "minutes" };
  return {
    name,
    definition: checkScheduledJob({ name, method: "get", relative_url: "/jobs", every, enabled }),
  };
}

test("jobs are due in the order of their slots, each with the instant it was planned from", () => {
  const agenda = new Agenda("UTC");
  agenda.put(aJob("ten", 10), 1000);
  agenda.put(aJob("five", 5), 2000);
  expect(agenda.nextAt).toBe(5 * MINUTE);
  expect(agenda.takeDue(5 * MINUTE - 1)).toBeUndefined();
  expect(agenda.takeDue(20 * MINUTE)).toEqual({ name: "five", fromAt: 2000 });
  expect(agenda.takeDue(20 * MINUTE)).toEqual({ name: "ten", fromAt: 1000 });
  expect(agenda.takeDue(20 * MINUTE)).toBeUndefined();
  expect(agenda.nextAt).toBe(Number.POSITIVE_INFINITY);
});

test("a job that is put again moves, one that is paused or removed is never due", () => {
  const agenda = new Agenda("UTC");
  for (const name of ["moved", "paused", "removed"]) agenda.put(aJob(name, 5), 0);
  agenda.put(aJob("moved", 30), 0);
  agenda.put(aJob("paused", 5, false), 0);
  agenda.remove("removed");
  expect(agenda.nextAt).toBe(30 * MINUTE);
  expect(agenda.takeDue(30 * MINUTE)?.name).toBe("moved");
  expect(agenda.takeDue(30 * MINUTE)).toBeUndefined();
});
