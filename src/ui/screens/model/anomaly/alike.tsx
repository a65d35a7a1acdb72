// The most similar earlier stretch beside the anomaly, drawn at one scale.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import type { ModelView } from "../../../../api/model.ts";
import { strongestOf } from "../../../../core/anomaly/reports/strongest.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { buildRoute } from "../../../lib/route.ts";
import { Spark } from "../../../parts/pictures/spark.tsx";
import { useAnswer } from "../../../parts/use-answer.ts";
import { readAlike } from "../../../state/anomalies/anomaly.ts";
import { serverNow } from "../../../state/clock.ts";
import { moments, texts } from "../../../state/preferences.ts";

export function Alike({ model, anomaly }: { model: ModelView; anomaly: AnomalyDetailView }) {
  const { detail: own } = texts.value;
  const strongest = strongestOf(anomaly);
  const nearest = strongest?.[1].nearest;
  const key = nearest && `${anomaly.id} ${nearest.at}`;
  const read = useAnswer(key, (signal) => readAlike(model, anomaly, strongest![0], signal));
  if (!nearest || !read.value) return null;
  const interval = model.state.bucket_interval ?? 0;
  const begin = nearest.at - (nearest.points - 1) * interval;
  const around = 3 * nearest.points * interval;
  const range = {
    from: String(Math.round(begin - around)),
    to: String(Math.round(nearest.at + around)),
  };
  const { own: now, other } = read.value;
  const scale = [now, other].flatMap(({ min, max }) => [min, max]);
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
            {anomaly.series ? (
              moments.value.moment(nearest.at, serverNow())
            ) : (
              <a href={buildRoute(["models", nameOf(model)], range)}>
                {moments.value.moment(nearest.at, serverNow())}
              </a>
            )}
          </figcaption>
        </figure>
      </div>
    </>
  );
}
