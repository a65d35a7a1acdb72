// Command declarations: the table behind parsing, help, completion and the reference.
import type { Arguments, Options, ParsedWords } from "../../core/formats/command-line.ts";
import type { Client } from "../client/client.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Times } from "../terminal/times.ts";
import type { GlobalValues } from "./options.ts";

/** Detection and forecast of a series in this process: bodies and answers of `_detect` and `_predict`. */
interface Analyst {
  /** @throws TorusError `invalid`, `too_little_data`, `too_large` */
  detect(body: unknown, signal: AbortSignal): Promise<unknown>;
  /** @throws as `detect` */
  forecast(body: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Which settings a command without a server goes by: those of the server, from file and environment. */
export interface SettingsChoice {
  readonly config?: string | undefined;
  readonly dataDir?: string | undefined;
}

export interface MigrationOptions extends SettingsChoice {
  /** Address of a PostgreSQL, or a directory; absent: the database of the settings. */
  readonly to?: string | undefined;
  /** Whether buckets whose points stay behind are moved. */
  readonly withoutLocal: boolean;
  /** Called after each batch of rows. */
  readonly onProgress: (progress: MigrationProgress) => void;
}

export interface MigrationProgress {
  readonly table: string;
  /** Rows copied, of all tables. */
  readonly done: number;
  readonly total: number;
}

export interface MigratedState {
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly to: "database" | "directory";
  /** The database file that is left behind, where there is one. */
  readonly left?: string;
}

/** Work on a state that no server uses, in this process. */
export interface Maintenance {
  /** @throws TorusError `invalid` for bad settings, `internal` with the steps to take; nothing has changed then */
  migrateState(options: MigrationOptions): Promise<MigratedState>;
  /** @returns the id of the new key and the number of rows sealed with it. @throws as `migrateState` */
  reseal(choice: SettingsChoice): Promise<{ readonly keyId: string; readonly rows: number }>;
  /** Reads all points of the files of buckets; a server may run beside it. @throws TorusError `invalid` without a state */
  checkBuckets(choice: SettingsChoice): readonly CheckedBucket[];
}

/** What was found in the file of a bucket. */
export interface CheckedBucket {
  /** Name of the bucket, or of the file where no bucket is known for it. */
  readonly bucket: string;
  readonly blocks: number;
  /** Blocks of an earlier version that have no checksum yet. */
  readonly unchecked: number;
  /** Points of journals, which are not in blocks yet. */
  readonly pending: number;
  /** What is damaged, and where; empty: nothing. */
  readonly damage: readonly string[];
}

/** The program around the commands. */
export interface Program {
  readonly version: string;
  /** System and processor, as in `linux-x64`. */
  readonly platform: string;
  /** As in `bun 1.4.5`. */
  readonly runtime: string;
  /** All commands, in the order of the help. */
  readonly commands: readonly Command[];
  /** Runs the server. @returns the exit code */
  readonly serve: (words: readonly string[]) => Promise<number>;
  /** Loads the in-process analyst. */
  readonly openAnalyst: () => Promise<Analyst>;
  /** Loads the work on a state without a server. */
  readonly openMaintenance: () => Promise<Maintenance>;
  /** Reads the licence texts of everything in the program. */
  readonly readLicenses: () => Promise<string>;
}

export interface Context extends Program {
  readonly terminal: Terminal;
  readonly globals: GlobalValues;
  /** Aborted by an interrupt. */
  readonly client: Client;
  /** Survives an interrupt: for starting jobs, whose ids must not get lost, and for canceling them. */
  readonly lasting: Client;
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** Exit code of the interrupt; undefined before one. */
  readonly interruptedWith: () => number | undefined;
  /** Prints a line to standard output. */
  readonly print: (text: string) => void;
  /** Prints a note to standard error, unless `--quiet`. */
  readonly note: (text: string) => void;
  /** Prints the result: as JSON with `--json`, otherwise rendered as text. */
  readonly answer: (value: unknown, render?: () => string) => void;
  /** Formats times in the zone of the command line. */
  readonly times: Times;
  /** Whether output may be coloured. */
  readonly colour: boolean;
}

/** Sections of the help, in this order. */
export const groups = [
  "server",
  "data",
  "models",
  "live detection",
  "jobs",
  "calendars",
  "templates",
  "administration",
  "help",
] as const;

interface CommandInput<A extends Arguments, O extends Options> extends ParsedWords<A, O> {
  /** The raw words, for commands that pass them on. */
  readonly words: readonly string[];
}

interface CommandSpec<A extends Arguments, O extends Options> {
  /** One word, or two: `token create`. */
  readonly name: string;
  /** Former names. */
  readonly aliases?: readonly string[];
  readonly group: (typeof groups)[number];
  /** One line, without a full stop. */
  readonly summary: string;
  /** Further lines of its help. */
  readonly details?: readonly string[];
  readonly arguments?: A;
  readonly options?: O;
  /** Valid command lines, each with its effect. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Whether help omits it: for shell scripts only. */
  readonly isHidden?: boolean;
  /** Whether the global options (address, credentials, format) do not apply. */
  readonly isLocal?: boolean;
  /** @returns the exit code; undefined = 0 */
  run(context: Context, input: CommandInput<A, O>): Promise<number | undefined>;
}

/** A command of the table, with the types of its input erased. */
export interface Command extends Omit<CommandSpec<Arguments, Options>, "run" | "arguments" | "options"> {
  readonly arguments: Arguments;
  readonly options: Options;
  run(context: Context, input: CommandInput<Arguments, Options>): Promise<number | undefined>;
}

type NoSpecs = Readonly<Record<never, never>>;

/** Declares a command; the types of its input follow from its arguments and options. */
export function defineCommand<const A extends Arguments = NoSpecs, const O extends Options = NoSpecs>(
  spec: CommandSpec<A, O>,
): Command {
  return { arguments: {}, options: {}, ...spec } as unknown as Command;
}
