// Shapes of bodies that record changes: our own, and those that other systems send.
import { invalid } from "../../errors.ts";
import { isRecord } from "../../input/json.ts";
import { checkChange, MAX_CHANGES, type NewChange } from "../change.ts";
import { readAlerts } from "./alertmanager.ts";
import { readGithub } from "./github.ts";
import { readAnnotation } from "./grafana.ts";
import type { Body, Draft } from "./values.ts";

interface Shape {
  /** For messages. */
  readonly form: string;
  readonly matches: (body: Body) => boolean;
  /**
   * @param place of the body in a list, for messages; empty: it is alone
   * @returns the changes that it tells of, not checked
   */
  readonly read: (body: Body, place: string) => readonly Draft[];
}

/** By name; of several that match, the first counts. */
const shapes = {
  torus: {
    form: "a change with a title",
    // Notifications of Grafana's alerting have a title beside their alerts.
    matches: ({ title, alerts }) => title !== undefined && !Array.isArray(alerts),
    read: (body) => [body],
  },
  alertmanager: {
    form: "a notification of Alertmanager with alerts",
    matches: ({ alerts }) => Array.isArray(alerts),
    read: readAlerts,
  },
  github: {
    form: "a webhook of GitHub about a deployment, its status or a release",
    // Every event but a ping of an organisation has a repository and a sender.
    matches: ({ repository, hook_id, deployment, release, sender }) =>
      (isRecord(repository) && [deployment, release, sender].some(isRecord)) || hook_id !== undefined,
    read: readGithub,
  },
  grafana: {
    form: "an annotation of Grafana with a text",
    matches: ({ text }) => typeof text === "string",
    read: readAnnotation,
  },
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof shapes;
export const shapeNames = Object.keys(shapes) as readonly ShapeName[];

const FORMS = `${Object.values(shapes)
  .map(({ form }) => form)
  .join(", ")}, or a list of these`;

/**
 * The changes of a body: one entry or a list.
 * @param shape of every entry; absent: each is recognized
 * @param nowAt ms since the epoch
 * @throws TorusError `invalid`
 */
export function readChanges(body: unknown, nowAt: number, shape?: ShapeName): NewChange[] {
  const entries = Array.isArray(body) ? body : [body];
  if (entries.length === 0) throw invalid("body", "must have at least one change");
  const found: NewChange[] = [];
  for (const [i, entry] of entries.entries()) {
    const place = Array.isArray(body) ? String(i) : "";
    const drafts = readEntry(entry, place, shape);
    for (const draft of drafts) found.push(checkChange(draft, nowAt, place));
    if (found.length > MAX_CHANGES)
      throw invalid("body", `must have at most ${MAX_CHANGES} changes: send them in several requests`);
  }
  return found;
}

function readEntry(entry: unknown, place: string, shape: ShapeName | undefined): readonly Draft[] {
  const path = place || "body";
  if (!isRecord(entry)) throw invalid(path, `must be ${FORMS}`);
  const known = shape === undefined ? shapeNames.find((name) => shapes[name].matches(entry)) : shape;
  // Our own names the field that is wrong.
  if (known === undefined || (known !== "torus" && !shapes[known].matches(entry)))
    throw invalid(path, `must be ${known === undefined ? FORMS : shapes[known].form}`);
  return shapes[known].read(entry, place);
}
