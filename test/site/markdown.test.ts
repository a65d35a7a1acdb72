// Markdown of the site: escapes, anchors, links, tables.
import { describe, expect, test } from "bun:test";
import { renderMarkdown, slugOf } from "../../.ci/site/markdown.ts";
import { targetsOf } from "../../.ci/site/targets.ts";

const root = `${import.meta.dir}/../..`;
const render = (text: string) => renderMarkdown(text, targetsOf("docs/watching.md", root));

test("code is text, with its language", () => {
  const { html } = render('```sh\necho "<script>alert(1)</script>" && exit\n```\n');
  expect(html).toBe(
    '<pre tabindex="0"><code class="language-sh">' +
      "echo &quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot; &amp;&amp; exit\n</code></pre>\n",
  );
});

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "GET /jobs/<id>",
])("%s is refused", (text) => {
  expect(() => render(`${text}\n`)).toThrow(/^no element of Markdown, or no target: /);
});

test("comments are left out", () => {
  expect(render("a <!-- b --> c\n").html).toBe("<p>a  c</p>\n");
});

test("equal headings have anchors of their own", () => {
  const { html, headings } = render("# A `b_c`\n\n## A <br> b_c & d\n\n## A b_c\n");
  expect(headings).toEqual([
    { level: 1, anchor: "a-b_c", text: "A b_c" },
    { level: 2, anchor: "a--b_c--d", text: "A  b_c & d" },
    { level: 2, anchor: "a-b_c-1", text: "A b_c" },
  ]);
  expect(html).toContain('<h1 id="a-b_c">A <code>b_c</code></h1>');
});

test.each([
  ["Who? What, when: 10 %", "who-what-when-10-"],
  ["`group_by` & more", "group_by--more"],
  ["Größe", "größe"],
])("the anchor of %s is %s", (heading, slug) => {
  expect(slugOf(heading)).toBe(slug);
});

describe("a link", () => {
  test.each([
    ["fleets.md", '<a href="fleets.html">x</a>'],
    ["fleets.md#hooks", '<a href="fleets.html#hooks">x</a>'],
    ["#mail", '<a href="#mail">x</a>'],
    ["watching.md#mail", '<a href="#mail">x</a>'],
    ["../README.md#run-it", '<a href="index.html#run-it">x</a>'],
    ["../CHANGELOG.md", '<a href="changelog.html">x</a>'],
    ["../LICENSE", '<a href="LICENSE.txt">x</a>'],
    ["https://prometheus.io/docs", '<a href="https://prometheus.io/docs">x</a>'],
    ["../deploy/alerts.yml", "x"],
  ])("to %s is %s", (href, html) => {
    expect(render(`[x](${href})\n`).html).toBe(`<p>${html}</p>\n`);
  });

  test.each(["../nowhere.txt", "javascript:alert(1)", "//example.org/x"])("to %s is refused", (href) => {
    expect(() => render(`[x](${href})\n`)).toThrow("no target");
  });
});

test("a table scrolls in itself, and says the alignment of a column once", () => {
  const { html } = render("| a | b |\n|---|--:|\n| 1 | 2<br>3 |\n");
  expect(html).toStartWith(
    '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table class="right-2">',
  );
  expect(html).toContain("<td>2<br>3</td>");
  expect(html).not.toContain("align");
});
