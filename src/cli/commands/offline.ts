// Commands detect and forecast: analysis of a CSV file without a server.
import type { EntireView, SeriesForecastView } from "../../api/detection.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import type { Options, OptionValues } from "../../core/formats/command-line.ts";
import { granularities } from "../../core/series/granularity.ts";
import { parseDuration } from "../../core/time/time.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { type CsvColumn, readColumns } from "../input/csv-columns.ts";
import { csvFormatOf, csvFormatOptions, fileArgument, timeColumnOption } from "../input/csv-options.ts";
import { openInput } from "../input/files.ts";
import { describeFile, describeZone } from "../output/csv-reading.ts";
import { type Analysed, answerDetections, answerForecasts } from "../output/csv-report.ts";
import type { Times } from "../terminal/times.ts";

const columnOptions = {
  time: timeColumnOption,
  ...csvFormatOptions,
  value: {
    value: "A,B",
    type: "list",
    fallback: "every numeric column",
    description: "Columns to analyse",
  },
  interval: {
    value: "DURATION",
    type: "duration",
    fallback: "no averaging",
    description: "Average the points over intervals of this length",
  },
  granularity: {
    value: "NAME",
    choices: granularities,
    fallback: "detected",
    description: "Distance of the points, without averaging",
  },
  period: {
    value: "N",
    type: "integer",
    fallback: "detected",
    description: "Length of the season in points; 0 = no season",
  },
} as const satisfies Options;

/** Reads the file, and tells what was guessed. @returns the zone of its days, too; undefined: UTC */
async function readFile(
  context: Context,
  path: string,
  options: OptionValues<typeof columnOptions>,
): Promise<{ readonly columns: readonly CsvColumn[]; readonly timezone: string | undefined }> {
  const { interval, granularity } = options;
  if (interval !== undefined && granularity !== undefined)
    throw invalid("--granularity", "cannot be combined with --interval, which averages: choose one of them");
  const intervalSeconds = interval === undefined ? undefined : parseDuration(interval, "--interval") / 1000;
  if (intervalSeconds === 0) throw invalid("--interval", "must be longer than 0, as in 5m");
  const { columns, batches } = await readColumns(openInput(path, context.terminal, context.signal), {
    nowAt: context.terminal.now(),
    timeColumn: options.time,
    columns: options.value,
    ...csvFormatOf(options, context.globals.tz),
    flags: { time: "--time", columns: "--value", duplicate: "--interval averages them; --on-duplicate" },
    intervalSeconds,
  });
  for (const line of describeFile(batches)) context.note(line);
  const said = describeZone(batches, options.timezone);
  if (said) context.note(said);
  // Instants are in no zone, so that printing them in one leaves their days those of UTC.
  const zone = batches.counts.isLocal ? batches.reading.timezone : undefined;
  return { columns, timezone: options.timezone ?? zone };
}

/** The points of a column as a request body has them. */
function toSeries({ times, values }: CsvColumn): { timestamp: number; value: number }[] {
  return times.map((timestamp, i) => ({ timestamp, value: values[i]! }));
}

const flags: Readonly<Record<string, string>> = {
  maxAnomalyRatio: "--max-ratio",
  p_val: "--level",
  level: "--level",
  sensitivity: "--sensitivity",
  period: "--period",
  horizon: "--horizon",
  granularity: "--granularity",
  timezone: "--timezone",
  min: "--min",
  max: "--max",
  holidays: "--holidays",
  "holidays.country": "--holidays",
  "holidays.region": "--holidays",
};

/** Ways out of a refused request, as the command line has them. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /give the granularity or bucket_interval they have.*$/,
    "give the --granularity they have, or average them with --interval, as in --interval 5m",
  ],
  [/give the interval the points have/, "give the --granularity or --interval of the points"],
  [/send the newest, or average them over longer intervals/, "average them with a longer --interval"],
  [
    /give the granularity daily, or the timezone in which/,
    "give --granularity daily, or the --timezone in which",
  ],
  [/give the granularity daily/, "give --granularity daily"],
  [/is not known: give its days as ical/, "is not known: give the code of a country, as in DE"],
];

/**
 * Runs an analysis of a column.
 * @throws TorusError that names the column and time, or the option, in place of the path in the request
 */
async function analyse<T>(column: CsvColumn, times: Times, run: () => Promise<unknown>): Promise<T> {
  try {
    return (await run()) as T;
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    throw new TorusError(error.code, rename(error.message, column, times), error.details);
  }
}

function rename(message: string, { name, times: instants }: CsvColumn, times: Times): string {
  const [, path = "", rest = message] = /^([^:]+): ([\s\S]*)$/.exec(message) ?? [];
  const text = remedies.reduce((changed, [from, to]) => changed.replace(from, to), rest);
  const index = /^series\.(\d+)/.exec(path)?.[1];
  if (index !== undefined) return `${name}: the point at ${times.format(instants[Number(index)])} ${text}`;
  return `${path === "series" ? name : (flags[path] ?? path)}: ${text}`;
}

const detect = defineCommand({
  name: "detect",
  group: "data",
  summary: "Detect anomalies in a CSV file, without a server",
  details: [
    "Compares each point with all others: trend, season and usual deviation. Nothing is stored.",
    "Times without an offset are UTC. --format csv prints one line per point, --json all details.",
  ],
  arguments: fileArgument,
  options: {
    ...columnOptions,
    sensitivity: {
      value: "N",
      type: "integer",
      fallback: "95",
      description: "0: widest band, fewest anomalies; 99: narrowest",
    },
    "max-ratio": {
      value: "SHARE",
      type: "number",
      fallback: "0.25",
      description: "Maximum share of anomalous points",
    },
  },
  examples: [
    ["torus detect taxi.csv --value value --interval 1h", "a chart, and a table of anomalies"],
    ["zcat load.csv.gz | torus detect - --time at --format csv", "each point with its band, for a program"],
  ],
  async run(context, { arguments: { file: path }, options }) {
    const { columns, timezone } = await readFile(context, path, options);
    const { period, granularity, sensitivity, "max-ratio": maxAnomalyRatio } = options;
    const params = definedOnly({ period, granularity, timezone, sensitivity, maxAnomalyRatio });
    const analyst = await context.openAnalyst();
    const found: Analysed<EntireView>[] = [];
    for (const column of columns) {
      const body = { series: toSeries(column), ...params };
      const run = () => analyst.detect(body, context.signal);
      found.push({ column, result: await analyse<EntireView>(column, context.times, run) });
    }
    answerDetections(context, found);
  },
});

const forecast = defineCommand({
  name: "forecast",
  group: "data",
  summary: "Forecast the series in a CSV file, without a server",
  details: [
    "Combines forecasters, without a neural network, by their accuracy on the past.",
    "Months, quarters, years and workdays go on by the calendar. Times without an offset are UTC.",
  ],
  arguments: fileArgument,
  options: {
    ...columnOptions,
    horizon: {
      value: "N",
      type: "integer",
      fallback: "one period, or 24",
      description: "Number of points to forecast",
    },
    level: {
      value: "A,B",
      type: "list",
      fallback: "95",
      description: "Confidence levels of the bands in percent; the chart shows the first one",
    },
    min: {
      value: "NUMBER",
      type: "number",
      fallback: "0 where no value is below it",
      description: "Least possible value",
    },
    max: { value: "NUMBER", type: "number", description: "Greatest possible value" },
    explain: {
      description: "Tell how it was made: members, level, trend, shifts, errors of past forecasts",
    },
    holidays: {
      value: "COUNTRY[-REGION]",
      description: "Public holidays that daily or finer points follow, as in DE or DE-BE",
    },
  },
  examples: [
    ["torus forecast taxi.csv --value value --interval 1h", "the next week, for a weekly season"],
    ["torus forecast disk.csv --horizon 30 --level 80,95 --format csv", "two bands, for a program"],
    ["torus forecast visits.csv --explain", "members and their shares, level, trend, errors of the past"],
    ["torus forecast visits.csv --holidays DE-BE --min 0", "days, with the holidays of Berlin"],
  ],
  async run(context, { arguments: { file: path }, options }) {
    const [first = 95, ...further] = (options.level ?? []).map(parsePercent);
    const { columns, timezone } = await readFile(context, path, options);
    const { period, granularity, horizon, min, max } = options;
    const params = {
      ...definedOnly({ period, granularity, timezone, horizon, min, max }),
      ...(options.holidays !== undefined && { holidays: parseHolidays(options.holidays) }),
      ...(options.explain && { explain: true }),
      p_val: first / 100,
    };
    const { format } = context.globals;
    if (options.explain && (format === "csv" || format === "tsv"))
      throw invalid("--explain", `has no columns in ${format}: leave --format out, or use --json`);
    const analyst = await context.openAnalyst();
    const found: Analysed<SeriesForecastView>[] = [];
    for (const column of columns) {
      const body = { series: toSeries(column), ...params, ...(further.length > 0 && { level: further }) };
      const run = () => analyst.forecast(body, context.signal);
      found.push({ column, result: await analyse<SeriesForecastView>(column, context.times, run) });
    }
    answerForecasts(context, found, first);
  },
});

function parsePercent(text: string): number {
  const level = Number(text);
  if (text === "" || !(level >= 1 && level < 100))
    throw invalid("--level", "must be percentages from 1 to below 100, as in 80,95");
  return level;
}

function parseHolidays(text: string): { country: string; region?: string } {
  const [, country, region] = /^([A-Z]{2})(?:-(.+))?$/.exec(text) ?? [];
  if (country === undefined)
    throw invalid(
      "--holidays",
      "must be the code of a country, and optionally of a region, as in DE or DE-BE",
    );
  return { country, ...(region !== undefined && { region }) };
}

export const offlineCommands = [detect, forecast];
