// The command line: its flags, how they are read, and the help text.
import { invalid } from "../core/errors.ts";
import { nearest } from "../core/schema.ts";

interface Flag {
  /** Name of the value in the help; absent = a switch. */
  readonly value?: string;
  /** Setting the value goes to. */
  readonly setting?: string;
  readonly description: string;
}

const flags = {
  config: { value: "FILE", description: "Settings file (YAML); also TORUS_CONFIG" },
  listen: { value: "HOST:PORT", setting: "server.listen", description: "Address to listen on; port 0 = any" },
  "data-dir": { value: "DIR", setting: "storage.path", description: "Where the state lives" },
  workers: { value: "N", setting: "server.workers", description: "Compute workers, or auto" },
  "log-level": { value: "LEVEL", setting: "log.level", description: "debug, info, warn or error" },
  "mail-config": {
    value: "FILE",
    setting: "hooks.mail.config",
    description: "File with the mail server, read at start",
  },
  insecure: { description: "Listen beyond this machine without authentication" },
  "check-config": { description: "Check the settings and leave" },
  help: { description: "Show this text" },
  version: { description: "Show the version" },
} as const satisfies Record<string, Flag>;

type FlagName = keyof typeof flags;

export interface CommandLine {
  readonly switches: ReadonlySet<FlagName>;
  readonly config?: string;
  /** Values of settings, by their dotted path. */
  readonly settings: ReadonlyMap<string, { flag: string; text: string }>;
}

/**
 * Reads the arguments after the program's name; the word `serve` may come first.
 * @throws TorusError `invalid` for an unknown flag, a missing or a needless value
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const rest = argv[0] === "serve" ? argv.slice(1) : [...argv];
  const switches = new Set<FlagName>();
  const settings = new Map<string, { flag: string; text: string }>();
  let config: string | undefined;
  while (rest.length > 0) {
    const word = rest.shift()!;
    const { name, inline } = splitFlag(word);
    const flag: Flag = flags[name];
    if (!flag.value) {
      if (inline !== undefined) throw invalid(`--${name}`, "takes no value");
      switches.add(name);
      continue;
    }
    const text = inline ?? rest.shift();
    if (text === undefined || (inline === undefined && text.startsWith("--")))
      throw invalid(`--${name}`, `needs a value: --${name} ${flag.value}`);
    if (flag.setting) settings.set(flag.setting, { flag: `--${name}`, text });
    else config = text;
  }
  return { switches, settings, ...(config === undefined ? {} : { config }) };
}

function splitFlag(word: string): { name: FlagName; inline?: string } {
  if (word === "-h") return { name: "help" };
  const match = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(word);
  if (!match) throw invalid("", "arguments must be flags, as in --listen localhost:8077 (see --help)");
  const [, name = "", inline] = match;
  if (Object.hasOwn(flags, name))
    return { name: name as FlagName, ...(inline === undefined ? {} : { inline }) };
  const near = nearest(name, Object.keys(flags));
  throw invalid(`--${name}`, `is unknown; ${near ? `did you mean --${near}?` : "see --help"}`);
}

/** The text of `--help`. */
export function renderHelp(): string {
  const rows = Object.entries(flags).map(([name, flag]: [string, Flag]) => ({
    left: `  --${name}${flag.value ? ` ${flag.value}` : ""}`,
    right: flag.description,
  }));
  const width = Math.max(...rows.map((row) => row.left.length)) + 2;
  const lines = rows.map((row) => row.left.padEnd(width) + row.right);
  return [
    "Usage: torus [serve] [flags]",
    "",
    "Model server for time-series anomaly detection and forecasting.",
    "",
    ...lines,
    "",
    "Every setting can also come from the environment: server.listen is TORUS_SERVER_LISTEN.",
    "Flags win over the environment, the environment over the file.",
    "",
  ].join("\n");
}
