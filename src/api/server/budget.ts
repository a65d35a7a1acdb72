// Schema of error budgets: remaining share, burn rates, and date of exhaustion.
import { Type } from "@sinclair/typebox";
import { optional } from "../../core/input/optional.ts";
import { SeriesTags } from "../../core/model/fleet.ts";
import { type Shown, seconds } from "../shown.ts";

/** Filters of the list. */
export const budgetFilters = {
  tags: optional.text("Only series with these tags, as in `host:a,cpu:0`"),
  model: optional.text("Only of these models, separated by `;`"),
};

const rate = Type.Union([Type.Number(), Type.Null()]);
const latest = Type.Union([Type.Number(), Type.Null()], {
  description: "The same by its far edge; null: not within the length of the window",
});

export const ErrorBudget = Type.Object(
  {
    model: Type.String({ description: "Name of the model" }),
    series: Type.Optional(SeriesTags),
    feature: Type.String({ description: "Name of the burn rate" }),
    objective: Type.Number({ description: "Share that is to be good" }),
    window: Type.Number({ description: "Length of the rolling window, seconds" }),
    remaining: Type.Union([Type.Number(), Type.Null()], {
      description:
        "Share of the budget that is left: 1 all of it, below 0 overspent; null where nothing was counted in the window",
    }),
    bad: Type.Number({ description: "Bad ones in the window" }),
    total: Type.Number({ description: "All in the window" }),
    rates: Type.Object(
      { "1h": rate, "6h": rate, "1d": rate, "3d": rate },
      {
        description:
          "Burn rates over the newest time: 1 is as much as the objective allows; null: nothing was counted",
      },
    ),
    burn: Type.Union([Type.Literal("fast"), Type.Literal("slow"), Type.Null()], {
      description:
        "`fast`: more than 2 % of the budget goes in 1 h, or 5 % in 6 h; `slow`: 10 % in 3 d; both also over the last twelfth of the time",
    }),
    exhaustion: Type.Object({
      outlook: Type.Union(
        [
          Type.Literal("exhausted"),
          Type.Literal("expected"),
          Type.Literal("not_within_window"),
          Type.Literal("not_enough_data"),
        ],
        {
          description:
            "Whether it will be exhausted within the length of the window, if all goes on as it does",
        },
      ),
      date: Type.Optional(seconds("When nothing is left, seconds since the epoch")),
      earliest: Type.Optional(
        seconds("The same by the near edge of the 90 % band, also where no date is expected"),
      ),
      latest: Type.Optional(latest),
    }),
    missing: Type.Number({ description: "Share of the window without values" }),
    impossible: Type.Integer({
      description:
        "Intervals that do not count: a value is negative, or more were good or bad than there were in all",
    }),
    reasons: Type.Array(Type.String(), { description: "The same in words" }),
    made: seconds("End of the window, seconds since the epoch"),
  },
  { $id: "ErrorBudget", description: "An error budget of a model, or of a series" },
);
export type ErrorBudgetView = Shown<typeof ErrorBudget>;

export const ModelBudget = Type.Object(
  {
    ...ErrorBudget.properties,
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: "date", description: "Day in the time zone of the model" }),
        bad: Type.Number(),
        total: Type.Number(),
        consumed: Type.Number({ description: "Share of the budget of the window" }),
      }),
      { description: "What each day has consumed, oldest first" },
    ),
  },
  { $id: "ModelBudget", description: "An error budget as it is now, by day" },
);
export type ModelBudgetView = Shown<typeof ModelBudget>;
