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
  "POST /webhooks/github": {
    id: "putGithubWebhook",
    request: {
      action: "published",
      release: { id: 7, tag_name: "v1.9.2", published_at: "2026-01-31T12:00:00Z" },
      repository: { name: "web" },
    },
    response: [
      {
        ...{ id: "github-release-7", kind: "release", title: "web v1.9.2", at: 1769860800 },
        ...{ tags: { repository: "web" }, created_timestamp: 1769860861 },
      },
    ],
  },
  "POST /changes/_find": {
    id: "findChanges",
    request: {
      bucket: "metrics",
      feature: { metric: "max", field: "build_info" },
      ...{ by: ["service"], label: "version", from: "now-1h" },
    },
    response: [
      {
        ...{ id: "found-5d41402abc4b2a76b9719d911017c592", kind: "deploy", at: 1769860800 },
        ...{ title: "web: version 1.9.1 -> 1.9.2", tags: { service: "web" }, created_timestamp: 1769860861 },
      },
    ],
  },
  "GET /changes": { id: "listChanges", response: [recorded] },
  "GET /changes/:id": { id: "getChange", response: recorded },
  "DELETE /changes/:id": { id: "deleteChange" },
};
