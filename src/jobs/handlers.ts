// Registry of job handlers: a new job type is one file and one line here.

import type { ModelKinds } from "../models/index.ts";
import type { Compute } from "../models/kind.ts";
import type { Store } from "../store/open.ts";
import type { Clock } from "./clock.ts";
import type { OpenBucket } from "./features.ts";
import { forecastHandler } from "./forecast.ts";
import type { Handlers } from "./handler.ts";
import { predictHandler } from "./predict.ts";
import { readHandler } from "./read.ts";
import { trainHandler } from "./train.ts";
import { writeHandler } from "./write.ts";

export interface HandlerDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly kinds: ModelKinds;
  readonly compute: Compute;
  readonly openBucket: OpenBucket;
}

export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    training: trainHandler(deps),
    forecast: forecastHandler(deps),
    prediction: predictHandler(deps),
    read: readHandler(deps),
    write: writeHandler(deps),
  };
}
