// README of the Python package.
import type { Api } from "../api.ts";

export function readme({ version, operations }: Api): string {
  return `# Client of Torus

Python client of Torus ${version}: ${operations.length} operations, each a method named by its \`operationId\` in snake_case. One
module for Python 3.9 or newer with the standard library alone; \`to_frame\` needs pandas.

\`\`\`python
from torus_client import ForecastParameters, NotTrained, Torus, pages, to_frame

torus = Torus("http://localhost:8077", token="...")
for model in torus.list_models():
    print(model.settings.name, model.state.trained)

forecast = torus.forecast_model("load", ForecastParameters(from_="now", to="now+1d"))
frame = to_frame(forecast)

try:
    torus.start_models("load")
except NotTrained:
    torus.train_models("load", {"from": "now-30d"})

for jobs in pages(torus.list_jobs, state="failed"):
    print(len(jobs))

for event in torus.follow_events(types="anomaly"):
    if event.event == "anomaly":
        print(event.data.model, event.data.change)
\`\`\`

A body is a record, whose fields that are None are not sent, or a dict, which is sent as it is. Requests that may be
repeated are: GET, PUT and DELETE, points, queries and previews; after a lost connection, a 429 or a 503, at most
\`retries\` times, as late as \`Retry-After\` asks.
`;
}
