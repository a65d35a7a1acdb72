// Webhooks of GitHub as changes (docs, "Webhook events and payloads"): deployments that begin or succeed, published releases.
import { type Body, bodyOf, type Draft, endOf, knownOf, pageOf, tagsOf, textOf, titleOf } from "./values.ts";

/** Letters of a commit that are shown, as Git abbreviates it. */
const COMMIT_LETTERS = 7;
const commit = /^[0-9a-f]{40}$/;

/** None for other events: pings, releases that are not published, states of deployments other than success. */
export function readGithub(body: Body): readonly Draft[] {
  const { action, release, deployment, deployment_status: status } = body;
  if (release !== undefined) return action === "published" ? [readRelease(body)] : [];
  if (deployment === undefined) return [];
  if (status === undefined) return [readDeployment(body)];
  return bodyOf(status).state === "success" ? [readDeployment(body)] : [];
}

/** The success of a deployment completes the change that its creation made. */
function readDeployment({ deployment, deployment_status, repository, workflow_run }: Body): Draft {
  const { id, ref, sha, environment: place, created_at } = bodyOf(deployment);
  const { name, html_url } = bodyOf(repository);
  const environment = textOf(place);
  const status = bodyOf(deployment_status);
  const version = versionOf(textOf(ref, sha) ?? "");
  const { log_url, target_url, environment_url } = status;
  return knownOf({
    id: typeof id === "number" ? `github-deployment-${id}` : undefined,
    at: textOf(created_at),
    end: endOf(textOf(created_at), status.created_at),
    kind: "deploy",
    title: titleOf([textOf(name), version, environment && `to ${environment}`].filter(Boolean).join(" ")),
    tags: tagsOf({ repository: name, environment }),
    url: pageOf(log_url, target_url, environment_url, bodyOf(workflow_run).html_url, html_url),
  });
}

function readRelease({ release, repository }: Body): Draft {
  const { id, tag_name, html_url, published_at, created_at } = bodyOf(release);
  const { name } = bodyOf(repository);
  return knownOf({
    id: typeof id === "number" ? `github-release-${id}` : undefined,
    at: textOf(published_at, created_at),
    kind: "release",
    title: titleOf([textOf(name), textOf(tag_name)].filter(Boolean).join(" ")),
    tags: tagsOf({ repository: name }),
    url: pageOf(html_url),
  });
}

/** A branch or tag, or the commit in short. */
function versionOf(ref: string): string {
  return commit.test(ref) ? ref.slice(0, COMMIT_LETTERS) : ref.replace(/^refs\/(heads|tags)\//, "");
}
