// The most similar earlier stretch beside the anomaly, drawn at one scale.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import type { ModelView } from "../../../../api/model.ts";
import { strongestOf } from "../../../../core/anomaly/reports/strongest.ts";
import { shownStretches, stretchLike } from "../../../lib/anomalies/alike.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { buildRoute } from "../../../lib/route.ts";
import { Spark } from "../../../parts/pictures/spark.tsx";
import { useAnswer } from "../../../parts/use-answer.ts";
import { readAlike } from "../../../state/anomalies/anomaly.ts";
import { serverNow } from "../../../state/clock.ts";
import { moments, texts } from "../../../state/preferences.ts";

export function Alike({ model, anomaly }: { model: ModelView; anomaly: AnomalyDetailView }) {
  const { detail: own } = texts.value;
  const { start, series } = anomaly;
  const [feature = ""] = strongestOf(anomaly) ?? [];
  const interval = model.state.bucket_interval ?? 0;
  const found = stretchLike(anomaly, feature, interval);
  const read = useAnswer(found && `${anomaly.id} ${found.end}`, (signal) =>
    readAlike(model, anomaly, feature, shownStretches(start, found!, interval), signal),
  );
  if (!found || !read.value) return null;
  const { end, length } = found;
  const range = { from: String(Math.round(end - 4 * length)), to: String(Math.round(end + 3 * length)) };
  const { own: now, other } = read.value;
  const scale = [now, other].flatMap(({ min, max }) => [min, max]);
  const moment = moments.value.moment(end, serverNow());
  return (
    <>
      <h3>{own.alike}</h3>
      <div class="pair">
        <figure>
          <Spark data={now} scaledBy={scale} marked={anomaly} />
          <figcaption>{own.thisOne}</figcaption>
        </figure>
        <figure>
          <Spark data={other} scaledBy={scale} />
          <figcaption>
            {series ? moment : <a href={buildRoute(["models", nameOf(model)], range)}>{moment}</a>}
          </figcaption>
        </figure>
      </div>
    </>
  );
}
