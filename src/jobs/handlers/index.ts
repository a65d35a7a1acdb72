// Registry of job handlers: one file and one line per handler.
import type { HandlerDeps, Handlers } from "../queue/handler.ts";
import { backtestHandler } from "./backtest.ts";
import { forecastHandler } from "./forecast.ts";
import { predictHandler } from "./predict.ts";
import { readHandler } from "./read.ts";
import { scanHandler } from "./scan/index.ts";
import { seriesDetectionHandler, seriesForecastHandler } from "./series.ts";
import { trainHandler } from "./train.ts";
import { writeHandler } from "./write.ts";

export function createHandlers(deps: HandlerDeps) {
  return {
    training: trainHandler(deps),
    forecast: forecastHandler(deps),
    seriesForecast: seriesForecastHandler(deps),
    prediction: predictHandler(deps),
    seriesDetection: seriesDetectionHandler(deps),
    scan: scanHandler(deps),
    read: readHandler(deps),
    write: writeHandler(deps),
    backtest: backtestHandler(deps),
  } satisfies Handlers;
}
