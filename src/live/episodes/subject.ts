// Subject of detection: a model, one series of a fleet, or the fleet as a whole.
import { type EventSubject, type SubjectFields, subjectOf } from "../../core/anomaly/event.ts";

export interface Subject extends EventSubject {
  readonly model: string;
}

/** The subject among other facts. */
export function pickSubject({ model, ...fields }: SubjectFields & { readonly model: string }): Subject {
  return { model, ...subjectOf(fields) };
}
