// Crates compiled into Bun, by a lock file of it; those that it uses for hashes are in `bun-hash-crates.ts`.
// Build tools, macros that run in the compiler, and crates of other platforms leave no code in the program.
import type { Part } from "./part.ts";

/**
 * Version of Bun in use when the list was made. The lock file at hand is that of another commit, 0029e923: serde_json
 * and the linter are from the messages in the program itself, and other crates of this version may be missing.
 */
export const CRATES_OF_BUN = "1.4.5";

export const bunCrates: readonly Part[] = [
  {
    name: "allocator-api2",
    license: "MIT",
    url: "https://github.com/zakarumych/allocator-api2",
    copyright: ["Author: Zakarum"],
  },
  {
    name: "bitflags",
    license: "MIT",
    url: "https://github.com/bitflags/bitflags",
    copyright: ["Copyright (c) 2014 The Rust Project Developers"],
  },
  {
    name: "bstr",
    license: "MIT",
    url: "https://github.com/BurntSushi/bstr",
    copyright: ["Copyright (c) 2018-2019 Andrew Gallant"],
  },
  {
    name: "bumpalo",
    license: "MIT",
    url: "https://github.com/fitzgen/bumpalo",
    copyright: [
      "Copyright (c) 2019 Nick Fitzgerald",
      "Collections: Copyright 2012-2018 The Rust Project Developers.",
    ],
  },
  {
    name: "bytemuck",
    license: "MIT",
    url: "https://github.com/Lokathor/bytemuck",
    copyright: ['Copyright (c) 2019 Daniel "Lokathor" Gee.'],
  },
  {
    name: "cfg-if",
    license: "MIT",
    url: "https://github.com/rust-lang/cfg-if",
    copyright: ["Copyright (c) 2014 Alex Crichton"],
  },
  {
    name: "const_format",
    license: "Zlib",
    url: "https://github.com/rodrimati1992/const_format_crates",
    copyright: ["Copyright (c) 2020 Matias Rodriguez."],
  },
  {
    name: "cssparser",
    license: "MPL-2.0",
    url: "https://github.com/servo/rust-cssparser",
    copyright: ["Author: Simon Sapin"],
  },
  {
    name: "derive_more",
    license: "MIT",
    url: "https://github.com/JelteF/derive_more",
    copyright: ["Copyright (c) 2016 Jelte Fennema"],
  },
  {
    name: "dtoa",
    license: "MIT",
    url: "https://github.com/dtolnay/dtoa",
    copyright: [
      "Author: David Tolnay",
      "Copyright (C) 2015 THL A29 Limited, a Tencent company, and Milo Yip. All rights reserved.",
    ],
  },
  {
    name: "dtoa-short",
    license: "MPL-2.0",
    url: "https://github.com/upsuper/dtoa-short",
    copyright: ["Author: Xidorn Quan"],
  },
  {
    name: "encoding_rs",
    license: "MIT AND BSD-3-Clause",
    url: "https://github.com/hsivonen/encoding_rs",
    copyright: ["Copyright Mozilla Foundation", "Copyright © WHATWG (Apple, Google, Mozilla, Microsoft)."],
  },
  {
    name: "enum-map",
    license: "MIT",
    url: "https://github.com/xfix/enum-map",
    copyright: ["Copyright (c) 2017 Konrad Borowski"],
  },
  {
    name: "enumset",
    license: "MIT",
    url: "https://github.com/Lymia/enumset",
    copyright: ["Copyright (c) 2017-2025 Alissa Rao <aura@aura.moe>"],
  },
  {
    name: "equivalent",
    license: "MIT",
    url: "https://github.com/indexmap-rs/equivalent",
    copyright: ["Copyright (c) 2016--2023"],
  },
  {
    name: "errno",
    license: "MIT",
    url: "https://github.com/lambda-fairy/rust-errno",
    copyright: ["Copyright (c) 2014 Chris Wong", "Copyright 2015 The Rust Project Developers."],
  },
  {
    name: "foldhash",
    license: "Zlib",
    url: "https://github.com/orlp/foldhash",
    copyright: ["Copyright (c) 2024 Orson Peters"],
  },
  {
    name: "hashbrown",
    license: "MIT",
    url: "https://github.com/rust-lang/hashbrown",
    copyright: ["Copyright (c) 2016 Amanieu d'Antras"],
  },
  {
    name: "itoa",
    license: "MIT",
    url: "https://github.com/dtolnay/itoa",
    copyright: ["Author: David Tolnay"],
  },
  {
    name: "konst",
    license: "Zlib",
    url: "https://github.com/rodrimati1992/konst",
    copyright: ["Copyright (c) 2021 Matias Rodriguez."],
  },
  {
    name: "konst_macro_rules",
    license: "Zlib",
    url: "https://github.com/rodrimati1992/konst",
    copyright: ["Copyright (c) 2021 Matias Rodriguez."],
  },
  {
    name: "libc",
    license: "MIT",
    url: "https://github.com/rust-lang/libc",
    copyright: ["Copyright (c) The Rust Project Developers"],
  },
  {
    name: "linux-raw-sys",
    license: "MIT",
    url: "https://github.com/sunfishcode/linux-raw-sys",
    copyright: [
      "Copyrights in the `linux-raw-sys` project are retained by their contributors.",
      "Author: Dan Gohman",
    ],
  },
  {
    name: "log",
    license: "MIT",
    url: "https://github.com/rust-lang/log",
    copyright: ["Copyright (c) 2014 The Rust Project Developers"],
  },
  {
    name: "memchr",
    license: "MIT",
    url: "https://github.com/BurntSushi/memchr",
    copyright: ["Copyright (c) 2015 Andrew Gallant"],
  },
  {
    name: "mime",
    license: "MIT",
    url: "https://github.com/hyperium/mime",
    copyright: ["Copyright (c) 2014 Sean McArthur"],
  },
  {
    name: "new_debug_unreachable",
    license: "MIT",
    url: "https://github.com/mbrubeck/rust-debug-unreachable",
    copyright: ["Copyright (c) 2015 Jonathan Reem"],
  },
  {
    name: "phf",
    license: "MIT",
    url: "https://github.com/rust-phf/rust-phf",
    copyright: ["Copyright (c) 2014-2022 Steven Fackler, Yuki Okushi"],
  },
  {
    name: "phf_shared",
    license: "MIT",
    url: "https://github.com/rust-phf/rust-phf",
    copyright: ["Copyright (c) 2014-2022 Steven Fackler, Yuki Okushi"],
  },
  {
    name: "precomputed-hash",
    license: "MIT",
    url: "https://github.com/emilio/precomputed-hash",
    copyright: ["Copyright (c) 2017 Emilio Cobos Álvarez"],
  },
  {
    name: "rustc-hash",
    license: "MIT",
    url: "https://github.com/rust-lang/rustc-hash",
    copyright: ["Author: The Rust Project Developers"],
  },
  {
    name: "rustix",
    license: "MIT",
    url: "https://github.com/bytecodealliance/rustix",
    copyright: [
      "Copyrights in the `rustix` project are retained by their contributors.",
      "Authors: Dan Gohman, Jakub Konka",
    ],
  },
  {
    name: "scopeguard",
    license: "MIT",
    url: "https://github.com/bluss/scopeguard",
    copyright: ['Copyright (c) 2016-2019 Ulrik Sverdrup "bluss" and scopeguard developers'],
  },
  {
    name: "selectors",
    license: "MPL-2.0",
    url: "https://github.com/servo/stylo",
    copyright: ["Author: The Servo Project Developers"],
  },
  {
    name: "serde_core",
    license: "MIT",
    url: "https://github.com/serde-rs/serde",
    copyright: ["Authors: Erick Tryzelaar, David Tolnay"],
  },
  {
    name: "serde_json",
    license: "MIT",
    url: "https://github.com/serde-rs/json",
    copyright: ["Authors: Erick Tryzelaar, David Tolnay"],
  },
  {
    name: "servo_arc",
    license: "MIT",
    url: "https://github.com/servo/stylo",
    copyright: ["Copyright 2012-2014 The Rust Project Developers.", "Author: The Servo Project Developers"],
  },
  {
    name: "siphasher",
    license: "MIT",
    url: "https://github.com/jedisct1/rust-siphash",
    copyright: ["Copyright 2012-2016 The Rust Project Developers.", "Copyright 2016-2026 Frank Denis."],
  },
  {
    name: "smallvec",
    license: "MIT",
    url: "https://github.com/servo/rust-smallvec",
    copyright: ["Copyright (c) 2018 The Servo Project Developers"],
  },
  {
    name: "stable_deref_trait",
    license: "MIT",
    url: "https://github.com/Storyyeller/stable_deref_trait",
    copyright: ["Copyright (c) 2017 Robert Grosse"],
  },
  {
    name: "strum",
    license: "MIT",
    url: "https://github.com/Peternator7/strum",
    copyright: ["Copyright (c) 2019 Peter Glotfelty"],
  },
  {
    name: "thiserror",
    license: "MIT",
    url: "https://github.com/dtolnay/thiserror",
    copyright: ["Author: David Tolnay"],
  },
  {
    name: "typed-arena",
    license: "MIT",
    url: "https://github.com/SimonSapin/rust-typed-arena",
    copyright: ["Copyright (c) 2018 The typed-arena developers"],
  },
];
