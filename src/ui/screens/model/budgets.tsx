// Error budgets of a model, or of a series: what is left, when nothing is, burn rate now and usually.
import type { ModelBudgetView } from "../../../api/server/budget.ts";
import { seriesParam } from "../../lib/fleet.ts";
import { nameOf } from "../../lib/model-state.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import type { ChartData } from "../../state/chart/series.ts";
import { serverNow } from "../../state/clock.ts";
import { moments, numbers, texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";

/** Seconds after which they are read anew. */
const READ_S = 600;

interface BudgetsProps extends Pick<ModelTabProps, "model"> {
  readonly series: string | undefined;
  readonly data: ChartData;
}

export function Budgets({ model, series, data }: BudgetsProps) {
  const features = model.settings.features as readonly { readonly name: string; readonly budget?: object }[];
  const isAsked = features.some(({ budget }) => budget) && (!model.settings.group_by || series !== undefined);
  const path = `/models/${encodeURIComponent(nameOf(model))}/budgets?${seriesParam(series).slice(1)}`;
  const key = isAsked ? `${path} ${Math.floor(serverNow() / READ_S)}` : undefined;
  const { value, problem, again } = useAnswer(key, (signal) =>
    request<readonly ModelBudgetView[]>(path, { signal }),
  );
  if (problem) return <ProblemNote problem={problem} again={again} />;
  return (
    <>
      {value?.map((budget) => (
        <section
          key={budget.feature}
          class="card"
          aria-label={`${texts.value.budget.title} ${budget.feature}`}
        >
          <h2>
            {texts.value.budget.title} <small>{budget.feature}</small>
          </h2>
          <dl class="facts">
            {factsOf(budget, data).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

function factsOf(
  { feature, objective, remaining, rates, burn, exhaustion }: ModelBudgetView,
  data: ChartData,
) {
  const { budget: own } = texts.value;
  const { one } = numbers.value;
  const percent = (share: number) => one(100 * share, "%");
  const { date, outlook } = exhaustion;
  // A chart of an earlier time shows what was usual then.
  const isNow = (data.times.at(-1) ?? 0) + 3 * data.step > serverNow();
  const usual = isNow ? data.features[feature]?.expected?.findLast((value) => value !== null) : undefined;
  return [
    [own.remaining, remaining === null ? own.unknown : percent(remaining)],
    [own.objective, percent(objective)],
    [own.exhausted, date === undefined ? own.outlooks[outlook] : moments.value.moment(date, serverNow())],
    [own.burn, `${one(rates["1h"])}${burn ? ` · ${own.burns[burn]}` : ""}`],
    [own.usual, one(usual)],
  ] as const;
}
