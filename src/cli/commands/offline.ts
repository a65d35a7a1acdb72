// Commands detect and forecast: analysis of a CSV file without a server.
import type { EntireView, SeriesForecastView } from "../../api/detection.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import type { Options, OptionValues } from "../../core/formats/command-line.ts";
import { parseDuration } from "../../core/time/time.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { type CsvColumn, readColumns } from "../input/csv-columns.ts";
import { csvFormatOf, csvFormatOptions, fileArgument, timeColumnOption } from "../input/csv-options.ts";
import { openInput } from "../input/files.ts";
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
  period: {
    value: "N",
    type: "integer",
    fallback: "detected",
    description: "Length of the season in points; 0 = no season",
  },
} as const satisfies Options;

function readFile(
  context: Context,
  path: string,
  options: OptionValues<typeof columnOptions>,
): Promise<CsvColumn[]> {
  const { interval } = options;
  const intervalSeconds = interval === undefined ? undefined : parseDuration(interval, "--interval") / 1000;
  if (intervalSeconds === 0) throw invalid("--interval", "must be longer than 0, as in 5m");
  return readColumns(openInput(path, context.terminal, context.signal), {
    timeColumn: options.time,
    columns: options.value,
    ...csvFormatOf(options),
    flags: { time: "--time", columns: "--value" },
    intervalSeconds,
  });
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
};

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
  const text = rest
    .replace(
      /give the granularity or bucket_interval they have.*$/,
      "average them with --interval, as in --interval 5m",
    )
    .replace(
      /send the newest, or average them over longer intervals/,
      "average them with a longer --interval",
    );
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
    const columns = await readFile(context, path, options);
    const { period, sensitivity, "max-ratio": maxAnomalyRatio } = options;
    const params = definedOnly({ period, sensitivity, maxAnomalyRatio });
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
  details: ["Combines forecasters, without a neural network, by their accuracy on the past."],
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
  },
  examples: [
    ["torus forecast taxi.csv --value value --interval 1h", "the next week, for a weekly season"],
    ["torus forecast disk.csv --horizon 30 --level 80,95 --format csv", "two bands, for a program"],
  ],
  async run(context, { arguments: { file: path }, options }) {
    const [first = 95, ...further] = (options.level ?? []).map(parsePercent);
    const columns = await readFile(context, path, options);
    const { period, horizon } = options;
    const params = { ...definedOnly({ period, horizon }), p_val: first / 100 };
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
  if (text === "" || !(level > 0 && level < 100))
    throw invalid("--level", "must be percentages between 0 and 100, as in 80,95");
  return level;
}

export const offlineCommands = [detect, forecast];
