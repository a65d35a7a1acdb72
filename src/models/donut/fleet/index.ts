// Fleets of the model kind `donut`.
import { FIRST_POINTS } from "../../../core/model/cold-start.ts";
import type { FleetKind } from "../../kind.ts";
import type { DonutOptions } from "../options.ts";
import { fitSeries } from "./fit.ts";
import { checkSeries, dropRemembered, modelOfSeries } from "./series.ts";
import { MAX_TRAINED_SERIES, trainFleet } from "./train.ts";

export function createFleet(options: DonutOptions): FleetKind {
  return {
    firstPoints: FIRST_POINTS,
    trainedSeries: MAX_TRAINED_SERIES,
    train: (input, context) => trainFleet(input, { options, context }),
    fit: (shared, input, context) => fitSeries(shared, input, { options, context }),
    modelOf: modelOfSeries,
    dropRemembered,
    checkSeries,
  };
}
