// Packages that Bun embeds in place of modules of Node.js, under the names of its page on licences.
import type { Part } from "./part.ts";

const joyent = "Copyright Joyent, Inc. and other Node contributors. All rights reserved.";

/** Name, repository and copyright of each; all are under the MIT licence but those of `otherLicenses`. */
const rows: readonly (readonly [name: string, repository: string, ...copyright: string[]])[] = [
  ["acorn", "acornjs/acorn", "Copyright (C) 2012-2022 by various contributors (see AUTHORS)"],
  ["acorn-walk", "acornjs/acorn", "Copyright (C) 2012-2020 by various contributors (see AUTHORS)"],
  ["assert", "browserify/commonjs-assert", joyent],
  [
    "browserify-zlib",
    "browserify/browserify-zlib",
    "Copyright (c) 2014-2015 Devon Govett <devongovett@gmail.com>",
    "Copyright Node.js contributors. All rights reserved.",
    joyent,
  ],
  ["buffer", "feross/buffer", "Copyright (c) Feross Aboukhadijeh, and other contributors."],
  [
    "constants-browserify",
    "juliangruber/constants-browserify",
    "Copyright (c) 2013 Julian Gruber <julian@juliangruber.com>",
  ],
  ["crypto-browserify", "browserify/crypto-browserify", "Copyright (c) 2013 Dominic Tarr"],
  ["domain-browser", "bevry/domain-browser", "Copyright Benjamin Lupton"],
  ["events", "browserify/events", "Copyright Joyent, Inc. and other Node contributors."],
  ["https-browserify", "substack/https-browserify", "Copyright (c) James Halliday"],
  ["os-browserify", "CoderPuppy/os-browserify", "Copyright (c) 2017 CoderPuppy"],
  ["path-browserify", "browserify/path-browserify", "Copyright (c) 2013 James Halliday"],
  ["process", "defunctzombie/node-process", "Copyright (c) 2013 Roman Shtylman <shtylman@gmail.com>"],
  ["punycode", "mathiasbynens/punycode.js", "Copyright Mathias Bynens <https://mathiasbynens.be/>"],
  [
    "querystring-es3",
    "mike-spainhower/querystring",
    "Copyright 2012 Irakli Gozalishvili. All rights reserved.",
  ],
  ["stream-browserify", "browserify/stream-browserify", "Copyright (c) James Halliday"],
  ["stream-http", "jhiesey/stream-http", "Copyright (c) 2015 John Hiesey"],
  ["string_decoder", "nodejs/string_decoder", "Copyright Node.js contributors. All rights reserved.", joyent],
  [
    "timers-browserify",
    "browserify/timers-browserify",
    "Copyright © 2012 J. Ryan Stinnett <jryans@gmail.com>",
    joyent,
  ],
  ["tty-browserify", "browserify/tty-browserify", "Author: James Halliday"],
  ["url", "defunctzombie/node-url", "Copyright 2014 Joyent, Inc. and other Node contributors."],
  ["util", "browserify/node-util", joyent],
  ["vm-browserify", "browserify/vm-browserify", "Author: James Halliday"],
];

/** Bun's page names the licence that domain-browser had up to version 4. */
const otherLicenses: Readonly<Record<string, string>> = { "domain-browser": "Artistic-2.0" };

export const bunPolyfills: readonly Part[] = rows.map(([name, repository, ...copyright]) => ({
  name,
  license: otherLicenses[name] ?? "MIT",
  url: `https://github.com/${repository}`,
  copyright,
}));
