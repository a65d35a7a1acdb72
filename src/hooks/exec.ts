// Kind `exec`: runs an allowed program without a shell; the event is JSON on its standard input.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../core/errors.ts";
import type { HookContext, HookKind } from "./kind.ts";
import type { Outcome } from "./shared/outcome.ts";

const NOT_ALLOWED = "is not allowed; name it in hooks.exec.allow of the settings";
const TIMEOUT_MS = 30_000;
/** Exit code of sysexits.h. */
const EX_TEMPFAIL = 75;

const argument = Type.String({
  maxLength: 4096,
  pattern: "^[^\\u0000]*$",
  rule: "must be a text of at most 4096 characters, none of them NUL",
});

const ExecConfig = Type.Object(
  {
    path: Type.String({
      pattern: "^/[^\\u0000]*$",
      maxLength: 4096,
      description: "Program; one of `hooks.exec.allow` of the server's settings",
      rule: "must be an absolute path",
    }),
    args: Type.Optional(
      Type.Array(argument, {
        maxItems: 100,
        description: "Arguments",
        rule: "must be a list of at most 100 texts",
      }),
    ),
  },
  { additionalProperties: false },
);
type ExecConfig = Static<typeof ExecConfig>;

export const exec: HookKind<typeof ExecConfig> = {
  kind: "exec",
  description: "Runs a program on the server's machine, one of `hooks.exec.allow`",
  config: ExecConfig,
  secrets: [],
  destination: [],
  check: (config, path, allowed) => {
    if (allowed && !allowed.programs.includes(config.path)) throw invalid(`${path}.path`, NOT_ALLOWED);
  },
  preview: (event) => ({ text: JSON.stringify(event, null, 2) }),
  // Checked again: a reload may have changed the settings.
  deliver: async (event, config, context) => run({ ...event, key: context.key }, config, context),
  deliverGroup: async ({ tags, events }, config, context) =>
    run({ kind: "group", tags, events, key: context.key }, config, context),
};

async function run(
  input: object,
  { path, args = [] }: ExecConfig,
  { programs, signal }: HookContext,
): Promise<Outcome> {
  if (!programs.includes(path)) return { reject: `the program ${NOT_ALLOWED}`, code: "not_set_up" };
  return runProgram([path, ...args], JSON.stringify(input), signal);
}

/** Exit code 0: sent; 75: retry; anything else: rejected. */
async function runProgram(command: string[], input: string, signal: AbortSignal): Promise<Outcome> {
  let child: Bun.Subprocess;
  try {
    child = Bun.spawn(command, {
      stdin: new Blob([`${input}\n`]),
      stdout: "ignore",
      stderr: "ignore",
      // The server's own environment may hold secrets.
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" },
      cwd: "/",
      signal,
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
  } catch (error) {
    const { code } = error as { code?: unknown };
    const reason = `the program could not be started${typeof code === "string" ? ` (${code})` : ""}`;
    return { retry: reason, code: "not_set_up" };
  }
  const exitCode = await child.exited;
  if (exitCode === 0) return "sent";
  if (exitCode === EX_TEMPFAIL)
    return { retry: `the program requests another attempt (exit code ${EX_TEMPFAIL})`, code: "failed" };
  if (child.signalCode === "SIGKILL")
    return { retry: `the program took longer than ${TIMEOUT_MS / 1000} s`, code: "deadline" };
  const reason = `the program failed (${child.signalCode ?? `exit code ${exitCode}`})`;
  return { reject: reason, code: "failed" };
}
