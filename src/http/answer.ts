// Answers: values become JSON, with the status a route chose.
import { writeJson } from "../core/kept.ts";

export type AnswerHeaders = Record<string, string>;

/** A status and what goes with it; a plain value means 200. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body?: unknown,
  ) {}
}

/** 201, for what has no better body. */
export function created(): Answer {
  return new Answer(201, "success");
}

/** 202 with the id of the job that does the work. */
export function accepted(jobId: string): Answer {
  return new Answer(202, jobId);
}

/** 204: done, nothing to say. */
export function noContent(): Answer {
  return new Answer(204);
}

/**
 * Turns what a route returned into the response.
 * @param headers of every answer; the type of the body is added to them
 */
export function renderAnswer(value: unknown, pretty: boolean, headers: AnswerHeaders): Response {
  const { status, body } = value instanceof Answer ? value : { status: 200, body: value };
  if (status === 204) return new Response(null, { status, headers });
  headers["content-type"] = "application/json";
  return new Response(stringify(body ?? null, pretty), { status, headers });
}

/** JSON text; `pretty` for people. */
export function stringify(value: unknown, pretty: boolean): string {
  return pretty ? `${JSON.stringify(value, null, 2)}\n` : writeJson(value);
}
