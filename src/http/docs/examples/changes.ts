// Examples of recorded changes.
import type { ApiExample } from "./shared.ts";

const change = {
  id: "web-1.9.2",
  at: 1769860800,
  end: 1769860860,
  kind: "deploy",
  title: "web 1.9.2",
  tags: { service: "web", environment: "production" },
  url: "https://ci.example.org/runs/7",
};
const recorded = { ...change, created_timestamp: 1769860861 };

export const changesExamples: Readonly<Record<string, ApiExample>> = {
  "POST /changes": { id: "createChanges", request: change, response: [recorded] },
  "GET /changes": { id: "listChanges", response: [recorded] },
  "GET /changes/:id": { id: "getChange", response: recorded },
  "DELETE /changes/:id": { id: "deleteChange" },
};
