// README of the TypeScript package.
import type { Api } from "../api.ts";

export function readme({ version, operations }: Api): string {
  return `# Client of Torus

TypeScript client of Torus ${version}: ${operations.length} operations, each a method named by its \`operationId\`. Without
dependencies; Node 20 or newer, Bun, and browsers.

\`\`\`ts
import { pages, Torus, TorusError } from "torus-client";

const torus = new Torus({ url: "http://localhost:8077", token: "..." });
for (const { settings, state } of await torus.listModels()) console.log(settings.name, state.trained);

const table = await torus.forecastModel("load", { from: "now", to: "now+1d" }, { accept: "text/csv" });

try {
  await torus.startModels("load");
} catch (error) {
  if (error instanceof TorusError && error.code === "not_trained") await torus.trainModels("load", { from: "now-30d" });
  else throw error;
}

for await (const jobs of pages((page) => torus.listJobs({ state: "failed", ...page }))) console.log(jobs.length);

for await (const event of torus.followEvents({ types: "anomaly" }))
  if (event.event === "anomaly") console.log(event.data.model, event.data.change);
\`\`\`

Requests that may be repeated are: GET, PUT and DELETE, points, queries and previews; after a lost connection, a 429 or
a 503, at most \`retries\` times, as late as \`Retry-After\` asks.
`;
}
