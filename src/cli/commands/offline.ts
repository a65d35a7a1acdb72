// Commands that look at a CSV file without a server: what was unusual in it, and what comes next.
import type { EntireView, SeriesForecastView } from "../../api/detection.ts";
import { invalid } from "../../core/errors.ts";
import { parseDuration } from "../../core/time/time.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { analyse, toSeries } from "../input/analyse.ts";
import { type CsvColumn, readColumns } from "../input/csv-columns.ts";
import { openInput } from "../input/files.ts";
import { type Analysed, answerDetections, answerForecasts } from "../output/csv-report.ts";

const file = { file: { description: "CSV file, may be gzip; - reads standard input" } } as const;

const columnOptions = {
  time: {
    value: "NAME",
    fallback: "timestamp, time, date, ..., or the first one",
    description: "Column that holds the time",
  },
  "time-format": {
    value: "FORMAT",
    fallback: "auto",
    description: "auto, iso, s, ms, us, ns, or a pattern such as '%d/%m/%Y %H:%M'",
  },
  value: {
    value: "A,B",
    type: "list",
    fallback: "each that holds numbers",
    description: "Columns to look at",
  },
  delimiter: { value: "CHAR", fallback: "guessed", description: "What stands between cells" },
  interval: {
    value: "DURATION",
    type: "duration",
    fallback: "the points as they are",
    description: "Average the points over intervals of this length",
  },
  period: {
    value: "N",
    type: "integer",
    fallback: "found out",
    description: "Points after which the series repeats itself; 0 = it does not",
  },
} as const;

interface ColumnValues {
  readonly time: string | undefined;
  readonly "time-format": string | undefined;
  readonly value: readonly string[] | undefined;
  readonly delimiter: string | undefined;
  readonly interval: string | undefined;
}

function readFile(context: Context, path: string, options: ColumnValues): Promise<CsvColumn[]> {
  const { interval, delimiter } = options;
  const intervalSeconds = interval === undefined ? undefined : parseDuration(interval, "--interval") / 1000;
  if (intervalSeconds === 0) throw invalid("--interval", "must be longer than 0, as in 5m");
  return readColumns(openInput(path, context.terminal, context.signal), {
    timeColumn: options.time,
    timeFormat: options["time-format"],
    columns: options.value,
    delimiter: delimiter === "\\t" ? "\t" : delimiter,
    flags: { time: "--time", columns: "--value" },
    intervalSeconds,
  });
}

const detect = defineCommand({
  name: "detect",
  group: "data",
  summary: "Find what was unusual in a CSV file, without a server",
  details: [
    "Each point is held against all others: trend, season, and how far values usually stray. Nothing is stored.",
    "Times without an offset are UTC. With --format csv one line per point, with --json everything.",
  ],
  arguments: file,
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
      description: "Share of the points that are anomalies at most",
    },
  },
  examples: [
    ["torus detect taxi.csv --value value --interval 1h", "a chart, and a table of anomalies"],
    ["zcat load.csv.gz | torus detect - --time at --format csv", "each point with its band, for a program"],
  ],
  async run(context, { arguments: { file: path }, options }) {
    const columns = await readFile(context, path, options);
    const { period, sensitivity, "max-ratio": maxAnomalyRatio } = options;
    const asked = definedOnly({ period, sensitivity, maxAnomalyRatio });
    const analyst = await context.openAnalyst();
    const found: Analysed<EntireView>[] = [];
    for (const column of columns) {
      const body = { series: toSeries(column), ...asked };
      const run = () => analyst.detect(body, context.signal);
      found.push({ column, result: await analyse<EntireView>(column, context.times, run) });
    }
    answerDetections(context, found);
  },
});

const forecast = defineCommand({
  name: "forecast",
  group: "data",
  summary: "Forecast what follows a CSV file, without a server",
  details: ["Of the forecasters that need no network those count that would have been right in the past."],
  arguments: file,
  options: {
    ...columnOptions,
    horizon: {
      value: "N",
      type: "integer",
      fallback: "one period, or 24",
      description: "Points to forecast",
    },
    level: {
      value: "A,B",
      type: "list",
      fallback: "95",
      description: "Confidences of the bands in percent; the first one is drawn",
    },
  },
  examples: [
    ["torus forecast taxi.csv --value value --interval 1h", "the next week, where weeks repeat themselves"],
    ["torus forecast disk.csv --horizon 30 --level 80,95 --format csv", "two bands, for a program"],
  ],
  async run(context, { arguments: { file: path }, options }) {
    const [first = 95, ...further] = (options.level ?? []).map(parsePercent);
    const columns = await readFile(context, path, options);
    const { period, horizon } = options;
    const asked = { ...definedOnly({ period, horizon }), p_val: first / 100 };
    const analyst = await context.openAnalyst();
    const found: Analysed<SeriesForecastView>[] = [];
    for (const column of columns) {
      const body = { series: toSeries(column), ...asked, ...(further.length > 0 && { level: further }) };
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
