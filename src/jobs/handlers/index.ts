// Registry of job handlers: a new job type is one file and one line here.
import type { HandlerDeps, Handlers } from "../queue/handler.ts";
import { backtestHandler } from "./backtest.ts";
import { forecastHandler } from "./forecast.ts";
import { predictHandler } from "./predict.ts";
import { readHandler } from "./read.ts";
import { trainHandler } from "./train.ts";
import { writeHandler } from "./write.ts";

/** The handlers of all types of jobs. */
export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    training: trainHandler(deps),
    forecast: forecastHandler(deps),
    prediction: predictHandler(deps),
    read: readHandler(deps),
    write: writeHandler(deps),
    backtest: backtestHandler(deps),
  };
}
