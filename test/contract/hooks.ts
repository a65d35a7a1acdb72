// Contract rows of /models/<m>/hooks: attach, replace, read back, delete.
import { aModel } from "../support/builders.ts";
import { type Row, refuses, type Table } from "./suite.ts";

const base = "/models/c_h/hooks";
const mail = {
  type: "mail",
  name: "ops.mail",
  config: {
    from: { name: "Torus", address: "torus@example.org" },
    to: { address: "ops@example.org" },
    templates: { anomaly_start: { subject: "{model}: {score}", content: "{reason}" } },
  },
};
const marks = { type: "annotations", name: "marks", config: { id: null, type: "anomaly", bucket: "c_hb" } };
const { name: _name, ...namedMarks } = marks;
const shared = {
  ...marks,
  name: "all.marks",
  selector: { models: ["c_*"], tags: { host: "web-*" } },
};
const globalRefusals: readonly [string, unknown, string, string][] = [
  ["a name with a slash", { ...shared, name: "a/b" }, "name", "letters"],
  ["no name", { ...shared, name: undefined }, "name", "is required"],
  ["an unknown type", { ...shared, type: "mial" }, "type", "did you mean mail?"],
  ["a selector that is a text", { ...shared, selector: "c_*" }, "selector", "object"],
  [
    "a model name with a space",
    { ...shared, selector: { models: ["a b"] } },
    "selector.models.0",
    "selector",
  ],
  ["no model name", { ...shared, selector: { models: [] } }, "selector.models", "cpu-*"],
  ["an unknown condition", { ...shared, selector: { model: ["a"] } }, "selector.model", "models"],
  ["a tag that is a number", { ...shared, selector: { tags: { a: 1 } } }, "selector.tags.a", "web-*"],
];
const changed = (config: object) => ({ ...mail, config: { ...mail.config, ...config } });

const refusals: readonly [string, unknown, string, string][] = [
  ["an unknown type", { ...mail, type: "mial" }, "type", "did you mean mail?"],
  [
    "a program the settings do not allow",
    { type: "exec", name: "h", config: { path: "/bin/true" } },
    "config.path",
    "hooks.exec.allow",
  ],
  ["an unknown key", changed({ form: 1 }), "config.form", "did you mean from?"],
  [
    "a header in an address",
    changed({ from: { address: "a@example.org\nBcc: evil@example.org" } }),
    "config.from.address",
    "mail address",
  ],
];

const rows: readonly Row[] = [
  { shows: "a clean start", request: "DELETE /models/c_h", status: [204, 404] },
  {
    shows: "a model",
    request: "POST /models",
    body: aModel({ name: "c_h" }),
    status: 201,
  },
  { shows: "no hooks yet", request: `GET ${base}`, status: 200, is: [] },
  { shows: "attach with PUT", request: `PUT ${base}`, body: mail, status: 201, is: "success" },
  { shows: "attach with POST", request: `POST ${base}`, body: marks, status: 201, is: "success" },
  { shows: "attach again replaces", request: `PUT ${base}`, body: mail, status: 201, is: "success" },
  { shows: "names", request: `GET ${base}`, status: 200, is: ["marks", "ops.mail"] },
  { shows: "the hooks", request: `GET ${base}?full=true`, status: 200, is: [marks, mail] },
  { shows: "one hook", request: `GET ${base}/ops.mail`, status: 200, is: mail },
  { shows: "HEAD", request: `HEAD ${base}/ops.mail`, status: 200 },
  ...refusals.map(([shows, body, path, text]) =>
    refuses(`refuses ${shows}`, `PUT ${base}`, { path, body, holds: [text], lacks: ["evil@"] }),
  ),
  {
    shows: "every mistake is listed, that of the detail first",
    request: `PUT ${base}`,
    body: { type: "mail", config: { to: mail.config.to, zzz: 1 } },
    status: 400,
    has: {
      path: "config.zzz",
      detail: "config.zzz is unknown; known keys: from, to, templates",
      errors: [
        { path: "config.zzz" },
        { path: "name", message: "is required" },
        { path: "config.from", message: "is required" },
      ],
    },
  },
  { shows: "nothing was changed by these", request: `GET ${base}?full=1`, status: 200, is: [marks, mail] },
  ...["PUT", "POST"].map(
    (method): Row => ({
      shows: `replace with ${method}`,
      request: `${method} ${base}/ops.mail`,
      body: namedMarks,
      status: 200,
      is: "success",
    }),
  ),
  {
    shows: "it is replaced",
    request: `GET ${base}/ops.mail`,
    status: 200,
    is: { ...namedMarks, name: "ops.mail" },
  },
  {
    shows: "a hook that names its events",
    request: `PUT ${base}/ops.mail`,
    body: { ...namedMarks, events: ["silence", "source"] },
    status: 200,
    is: "success",
  },
  {
    shows: "they are shown",
    request: `GET ${base}/ops.mail`,
    status: 200,
    is: { ...namedMarks, name: "ops.mail", events: ["silence", "source"] },
  },
  refuses("another name than in the path", `PUT ${base}/ops.mail`, { path: "name", body: marks }),
  { shows: "delete", request: `DELETE ${base}/ops.mail`, status: 200, is: "success" },
  { shows: "it is gone", request: `DELETE ${base}/ops.mail`, status: 404, holds: ["no hook ops.mail"] },
  { shows: "an unknown hook", request: `GET ${base}/none`, status: 404 },
  {
    shows: "a preview of a mail about a test anomaly",
    request: `POST ${base}/_preview`,
    body: mail,
    status: 200,
    holds: ["anomaly_start", "[test]"],
  },
  { shows: "a preview for no model", request: "POST /models/c_none/hooks/_preview", body: mail, status: 404 },
  { shows: "hooks of no model", request: "GET /models/c_none/hooks", status: 404, holds: ["c_none"] },
  { shows: "attached to no model", request: "PUT /models/c_none/hooks", body: mail, status: 404 },
  { shows: "replaced at no model", request: "PUT /models/c_none/hooks/a", body: mail, status: 404 },
  { shows: "of several models", request: "GET /models/c_h;c_h/hooks", status: 400 },
  { shows: "not as text", request: `PUT ${base}`, body: "{", status: 400 },
  { shows: "a global hook", request: "PUT /hooks", body: shared, status: 201, is: "success" },
  { shows: "the same with POST", request: "POST /hooks", body: shared, status: 201, is: "success" },
  { shows: "names of global hooks", request: "GET /hooks", status: 200, is: ["all.marks"] },
  { shows: "the global hooks", request: "GET /hooks?full=true", status: 200, is: [shared] },
  {
    shows: "all hooks with their targets",
    request: "GET /hooks/_states?page=0",
    status: 200,
    holds: ['"global":true', '"target":', '"x-total-count"'],
  },
  {
    shows: "a preview of a global hook about a test anomaly of a model that its selector matches",
    request: "POST /hooks/_preview",
    body: { ...mail, selector: { models: ["c_h"] } },
    status: 200,
    holds: ["anomaly_start", "[test]", "c_h"],
  },
  refuses("a preview of a global hook with a wrong selector", "POST /hooks/_preview", {
    path: "selector.models",
    body: { ...mail, selector: { models: "c_h" } },
  }),
  { shows: "one global hook", request: "GET /hooks/all.marks", status: 200, is: shared },
  { shows: "it is no hook of a model", request: `GET ${base}/all.marks`, status: 404 },
  ...["PUT", "POST"].map(
    (method): Row => ({
      shows: `replace a global hook with ${method}: without a selector it gets all events`,
      request: `${method} /hooks/all.marks`,
      body: namedMarks,
      status: 200,
      is: "success",
    }),
  ),
  {
    shows: "it is replaced",
    request: "GET /hooks/all.marks",
    status: 200,
    is: { ...namedMarks, name: "all.marks", selector: {} },
  },
  ...globalRefusals.map(([shows, body, path, text]) =>
    refuses(`refuses a global hook with ${shows}`, "PUT /hooks", { path, body, holds: [text] }),
  ),
  refuses("another name than in the path of a global hook", "PUT /hooks/other", {
    path: "name",
    body: shared,
  }),
  { shows: "a test of a global hook", request: "POST /hooks/all.marks/_test", status: 200, is: "success" },
  { shows: "its deliveries", request: "GET /hooks/all.marks/deliveries", status: 200 },
  { shows: "an unknown global hook", request: "GET /hooks/none", status: 404, holds: ["none"] },
  { shows: "a test of none", request: "POST /hooks/none/_test", status: 404 },
  { shows: "delete a global hook", request: "DELETE /hooks/all.marks", status: 200, is: "success" },
  { shows: "it is gone", request: "DELETE /hooks/all.marks", status: 404 },
  { shows: "no deliveries of none", request: "GET /hooks/all.marks/deliveries", status: 404 },
  { shows: "hooks go with their model", request: "DELETE /models/c_h", status: 204, type: null },
  { shows: "they are gone", request: `GET ${base}`, status: 404 },
];

export const hooks: Table = { noun: "hooks", rows };
