// Targets of links: the file of the site that a link between documents leads to.
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** What links of one document lead to. */
export interface Targets {
  /** Address in the site, or the link itself where it leads to another host; undefined for what is not in the site. */
  find(href: string): string | undefined;
  /** Whether it is a file or a folder of the repository. */
  isFile(href: string): boolean;
}

/** Name in the site of a document or of a file beside them; undefined for other files. */
export function nameOf(path: string): string | undefined {
  if (path === "README.md") return "index.html";
  if (path === "LICENSE") return "LICENSE.txt";
  const [, page] = /^(?:docs\/)?([\w-]+)\.md$/.exec(path) ?? [];
  if (page !== undefined) return `${page.toLowerCase()}.html`;
  return /^docs\/(pictures\/[\w-]+\.png)$/.exec(path)?.[1];
}

/** @param path of the document that holds the links, from the root of the repository */
export function targetsOf(path: string, root: string): Targets {
  const resolve = (href: string) => {
    const [file = "", anchor] = href.split("#");
    return { file: file === "" ? path : normalize(join(dirname(path), file)), anchor };
  };
  return {
    find(href) {
      if (/^https?:\/\//.test(href)) return href;
      const { file, anchor } = resolve(href);
      const name = nameOf(file);
      if (name === undefined || anchor === undefined) return name;
      return file === path ? `#${anchor}` : `${name}#${anchor}`;
    },
    isFile: (href) => existsSync(join(root, resolve(href).file)),
  };
}
