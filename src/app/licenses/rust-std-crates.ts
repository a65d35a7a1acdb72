// Crates inside the Rust standard library that is linked into Bun for Linux.
// Those that Bun uses too, such as hashbrown and libc, are in `bun-crates.ts`.
import type { Part } from "./part.ts";

export const rustStdCrates: readonly Part[] = [
  {
    name: "addr2line",
    license: "MIT",
    url: "https://github.com/gimli-rs/addr2line",
    copyright: ["Copyright (c) 2016-2018 The gimli Developers"],
  },
  {
    name: "adler2",
    license: "MIT",
    url: "https://github.com/oyvindln/adler2",
    copyright: ["Copyright (C) Jonas Schievink <jonasschievink@gmail.com>"],
  },
  {
    name: "compiler_builtins",
    license: "MIT AND Apache-2.0 WITH LLVM-exception",
    url: "https://github.com/rust-lang/compiler-builtins",
    copyright: [
      "Authors: Alex Crichton, Amanieu d'Antras, Jorge Aparicio, Trevor Gross",
      "libm: Copyright (c) 2018 Jorge Aparicio",
      "libm: Copyright © 2005-2020 Rich Felker, et al.",
      "libm: Copyright © 1993,2004 Sun Microsystems",
      "libm: Copyright © 2003-2011 David Schultz",
      "libm: Copyright © 2003-2009 Steven G. Kargl",
      "libm: Copyright © 2003-2009 Bruce D. Evans",
      "libm: Copyright © 2008 Stephen L. Moshier",
      "libm: Copyright © 2017-2018 Arm Limited",
    ],
    note: "The exception frees compiled programs from sections 4(a), 4(b) and 4(d) of the Apache licence.",
  },
  {
    name: "gimli",
    license: "MIT",
    url: "https://github.com/gimli-rs/gimli",
    copyright: ["Copyright (c) 2015 The Rust Project Developers", "Copyright 2016 The rust-dwarf Developers"],
  },
  {
    name: "miniz_oxide",
    license: "MIT",
    url: "https://github.com/Frommi/miniz_oxide",
    copyright: [
      "Copyright 2013-2014 RAD Game Tools and Valve Software",
      "Copyright 2010-2014 Rich Geldreich and Tenacious Software LLC",
      "Copyright (c) 2017 Frommi",
      "Copyright (c) 2017-2024 oyvindln",
    ],
  },
  {
    name: "object",
    license: "MIT",
    url: "https://github.com/gimli-rs/object",
    copyright: ["Copyright (c) 2015 The Gimli Developers"],
  },
  {
    name: "rustc-demangle",
    license: "MIT",
    url: "https://github.com/rust-lang/rustc-demangle",
    copyright: ["Copyright (c) 2014 Alex Crichton"],
  },
];
