// HTML page of the API documentation: no scripts, no external resources.
import { PROBLEM_TYPE } from "../framework/errors.ts";
import type { ApiDocument, ApiMedia, ApiOperation, ApiParameter } from "./openapi-document.ts";

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --link: light-dark(#1f5fd0, #7db0ff); }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: .25rem .9rem; padding: .6rem 0; border-block: 1px solid var(--line); }
h2 { font-size: 1.15rem; margin: 1.6rem 0 .5rem; }
h2::first-letter { text-transform: uppercase; }
code, pre { font-family: ui-monospace, monospace; font-size: .93em; }
pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: .4rem; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .3rem 0; padding: .4rem .7rem; }
summary { cursor: pointer; } summary:focus-visible { outline: 2px solid var(--link); }
summary b { display: inline-block; min-width: 3.6rem; }
summary small { float: right; color: light-dark(#475365, #aab6c6); }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
td, th { text-align: left; padding: .25rem .6rem .25rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
td:last-child { overflow-wrap: anywhere; }
@media (max-width: 600px) {
  body { margin-top: .5rem; }
  summary code { display: block; } summary b { min-width: 0; }
  table, tbody, tr, td { display: block; } th { display: none; } td { border: 0; padding: 0; }
  tr { padding: .35rem 0; border-bottom: 1px solid var(--line); }
}
`;

/** @returns the whole page */
export function renderDocs(document: ApiDocument): string {
  const { title, version, description } = document.info;
  const sections = document.tags.map(({ name }) => renderSection(document, name));
  const names = [...document.tags.map(({ name }) => name), "problems", "schemas"];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} API</title><style>${style}</style></head><body>
<h1>${escapeHtml(title)} ${escapeHtml(version)}</h1>
<p>${renderText(description)} The same as <a href="openapi.json">OpenAPI 3.1</a>. Every GET also answers HEAD.
Names in a path may be lists: <code>a;b;c</code>.</p>
<p>Where there are tokens, a request carries one: <code>Authorization: Bearer &lt;token&gt;</code>, or name and token in place
of user and password. Each operation names the scope it needs; <code>run</code> includes <code>read</code>, <code>admin</code> both.</p>
<nav>${names.map((name) => `<a href="#${idOf(name)}">${escapeHtml(name)}</a>`).join("")}</nav>
${sections.join("\n")}
${renderProblems(document.components)}
${renderSchemas(document.components)}</body></html>`;
}

function renderSection({ paths }: ApiDocument, tag: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => renderOperation(method, path, operation)),
  );
  return `<h2 id="${idOf(tag)}">${escapeHtml(tag)}</h2>${operations.join("\n")}`;
}

/** What every operation may answer where something is wrong, once for all. */
function renderProblems({ responses, schemas }: ApiDocument["components"]): string {
  const rows = Object.entries(responses).map(
    ([name, { description }]) =>
      `<tr><td><code>${escapeHtml(statusOfProblem(name))}</code></td><td>${renderText(description)}</td></tr>`,
  );
  const content = { [PROBLEM_TYPE]: { schema: schemas.Problem! } };
  return `<h2 id="problems">problems</h2><table>${rows.join("")}</table>${renderContent("", content)}`;
}

/** Every component; schemas elsewhere link to them. */
function renderSchemas({ schemas }: ApiDocument["components"]): string {
  const parts = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code> ${renderText(String(schema.description ?? ""))}</summary><pre>${renderJson(schema)}</pre></details>`,
  );
  return `<h2 id="schemas">schemas</h2>${parts.join("\n")}`;
}

/** `Problem404` is for 404, `Problem` for all others. */
function statusOfProblem(name: string): string {
  return name.replace(/^\D+/, "") || "other";
}

function renderProblemLinks(responses: ApiOperation["responses"]): string {
  const shared = Object.values(responses).flatMap((response) => ("$ref" in response ? [response.$ref] : []));
  const statuses = shared.map((ref) => statusOfProblem(ref.slice(ref.lastIndexOf("/") + 1)));
  return `<p><a href="#problems">Problems</a>: ${escapeHtml(statuses.join(", "))}</p>`;
}

function renderOperation(method: string, path: string, operation: ApiOperation): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const scope = operation.security.flatMap((way) => Object.values(way).flat())[0] ?? "open";
  const head = `<summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> ${renderText(summary)} <small>${escapeHtml(scope)}</small></summary>`;
  const parts = [
    description ? `<p>${renderText(description)}</p>` : "",
    parameters.length > 0 ? renderParameters(parameters) : "",
    requestBody ? renderContent("Body", requestBody.content) : "",
    ...Object.entries(responses).map(([status, response]) =>
      "$ref" in response
        ? ""
        : `<h4>${escapeHtml(status)} ${renderText(response.description)}</h4>${renderContent("", response.content ?? {})}`,
    ),
    renderProblemLinks(responses),
  ];
  return `<details id="${escapeHtml(operationId)}">${head}${parts.join("")}</details>`;
}

function renderParameters(parameters: readonly ApiParameter[]): string {
  const rows = parameters.map(
    (parameter) =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code></td><td>${parameter.in}</td><td>${renderText(parameter.description ?? "")}</td></tr>`,
  );
  return `<table><tr><th>Parameter</th><th>In</th><th></th></tr>${rows.join("")}</table>`;
}

function renderContent(title: string, content: Readonly<Record<string, ApiMedia>>): string {
  const heading = title ? `<h4>${title}</h4>` : "";
  const parts = Object.values(content).map(({ schema, example }) => {
    const shown = example === undefined ? "" : `<pre>${renderJson(example)}</pre>`;
    return `${shown}<details><summary>Schema</summary><pre>${renderJson(schema)}</pre></details>`;
  });
  return heading + parts.join("");
}

function renderJson(value: unknown): string {
  const reference = /&quot;#\/components\/schemas\/(\w+)&quot;/g;
  return escapeHtml(JSON.stringify(value, null, 2)).replace(reference, '<a href="#schema-$1">$1</a>');
}

/** Place of a section: names have spaces, links have none. */
function idOf(name: string): string {
  return escapeHtml(name.replaceAll(" ", "-"));
}

/** Prose whose backticks mark code. */
function renderText(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (char) => entities[char]!);
}
