// Settings of hooks, and the mail server file beside the settings file.
import { dirname, join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { invalid, TorusError } from "../core/errors.ts";
import { substituteEnv } from "../core/input/environment.ts";
import { checkMailFile, SmtpSettings } from "../hooks/mail/settings.ts";
import type { Settings } from "./schema.ts";
import { expandKeys, parseYaml } from "./yaml.ts";

/** Default mail server file, relative to the settings file. */
const MAIL_FILE = "plugins.d/mail.yml";

/** Effective settings of hooks. */
export interface HookOptions {
  /** Whether hooks may reach private networks. */
  readonly allowPrivate: boolean;
  /** Programs that hooks may run. */
  readonly programs: readonly string[];
  readonly smtp?: SmtpSettings;
  /** The mail server file, where its password is readable by other users. */
  readonly exposedFile?: string;
}

export interface FileSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => string;
  /** Whether other users can read a file; default: no. */
  readonly isExposed?: (path: string) => boolean;
}

/**
 * Reads the settings of hooks.
 * @param file path of the settings file, if any
 * @throws TorusError `invalid` naming the mail file and the key
 */
export function readHookOptions(
  { webhook, exec, mail }: Settings["hooks"],
  file: string | undefined,
  sources: FileSources,
): HookOptions {
  const options = { allowPrivate: webhook.private_addresses, programs: exec.allow };
  const path = mail.config || (file && join(dirname(file), MAIL_FILE));
  const text = path ? readMailFile(path, { required: mail.config !== "" }, sources) : undefined;
  if (!path || text === undefined) return options;
  const smtp = parseMailFile(text, path, sources.env);
  const exposed = smtp.password !== undefined && sources.isExposed?.(path);
  return { ...options, smtp, ...(exposed && { exposedFile: path }) };
}

function readMailFile(
  path: string,
  { required }: { required: boolean },
  { readFile }: FileSources,
): string | undefined {
  try {
    return readFile(path);
  } catch (error) {
    const { code } = error as { code?: unknown };
    const missing = code === "ENOENT" || code === "ENOTDIR";
    if (missing && !required) return undefined;
    throw invalid(path, missing ? "does not exist" : "cannot be read");
  }
}

/** Quoted numbers and variables are strings: they are converted to the type of their setting. */
function parseMailFile(text: string, path: string, env: FileSources["env"]): SmtpSettings {
  const { smtp, ...rest } = expandKeys(substituteEnv(parseYaml(text, path), env));
  try {
    return checkMailFile({ ...rest, ...(smtp !== undefined && { smtp: Value.Convert(SmtpSettings, smtp) }) });
  } catch (error) {
    throw error instanceof TorusError ? invalid(path, error.message) : error;
  }
}
