// Crates compiled into Bun, by its lock file, for hashes of passwords and of data, and the crates that these need.
import type { Part } from "./part.ts";

export const bunHashCrates: readonly Part[] = [
  {
    name: "arrayref",
    license: "BSD-2-Clause",
    url: "https://github.com/droundy/arrayref",
    copyright: ["Copyright (c) 2015 David Roundy <roundyd@physics.oregonstate.edu>"],
  },
  {
    name: "arrayvec",
    license: "MIT",
    url: "https://github.com/bluss/arrayvec",
    copyright: [
      'Copyright (c) Ulrik Sverdrup "bluss" 2015-2023',
      "Copyright 2012-2016 The Rust Project Developers.",
    ],
  },
  {
    name: "base64",
    license: "MIT",
    url: "https://github.com/marshallpierce/rust-base64",
    copyright: ["Copyright (c) 2015 Alice Maz"],
  },
  {
    name: "bcrypt",
    license: "MIT",
    url: "https://github.com/Keats/rust-bcrypt",
    copyright: ["Copyright (c) 2020 Vincent Prouillet"],
  },
  {
    name: "blake2",
    license: "MIT",
    url: "https://github.com/RustCrypto/hashes",
    copyright: [
      "Copyright (c) 2015-2016 The blake2-rfc Developers, Cesar Barros",
      "Copyright (c) 2017 Artyom Pavlov",
    ],
  },
  {
    name: "blake2b_simd",
    license: "MIT",
    url: "https://github.com/oconnor663/blake2_simd",
    copyright: ["Copyright (c) 2018 Jack O'Connor"],
  },
  {
    name: "block-buffer",
    license: "MIT",
    url: "https://github.com/RustCrypto/utils",
    copyright: ["Copyright (c) 2018-2019 The RustCrypto Project Developers"],
  },
  {
    name: "blowfish",
    license: "MIT",
    url: "https://github.com/RustCrypto/block-ciphers",
    copyright: ["Copyright (c) 2006-2009 Graydon Hoare", "Copyright (c) 2009-2013 Mozilla Foundation"],
  },
  {
    name: "byteorder",
    license: "MIT",
    url: "https://github.com/BurntSushi/byteorder",
    copyright: ["Copyright (c) 2015 Andrew Gallant"],
  },
  {
    name: "cipher",
    license: "MIT",
    url: "https://github.com/RustCrypto/traits",
    copyright: ["Copyright (c) 2016-2020 RustCrypto Developers"],
  },
  {
    name: "constant_time_eq",
    license: "MIT-0",
    url: "https://github.com/cesarb/constant_time_eq",
    copyright: ["Author: Cesar Eduardo Barros"],
  },
  {
    name: "cpufeatures",
    license: "MIT",
    url: "https://github.com/RustCrypto/utils",
    copyright: ["Copyright (c) 2020-2025 The RustCrypto Project Developers"],
  },
  {
    name: "crossbeam-utils",
    license: "MIT",
    url: "https://github.com/crossbeam-rs/crossbeam",
    copyright: ["Copyright (c) 2019 The Crossbeam Project Developers"],
  },
  {
    name: "crypto-common",
    license: "MIT",
    url: "https://github.com/RustCrypto/traits",
    copyright: ["Copyright (c) 2021 RustCrypto Developers"],
  },
  {
    name: "digest",
    license: "MIT",
    url: "https://github.com/RustCrypto/traits",
    copyright: ["Copyright (c) 2017 Artyom Pavlov"],
  },
  {
    name: "generic-array",
    license: "MIT",
    url: "https://github.com/fizyk20/generic-array",
    copyright: ["Copyright (c) 2015 Bartłomiej Kamiński"],
  },
  {
    name: "getrandom",
    license: "MIT",
    url: "https://github.com/rust-random/getrandom",
    copyright: [
      "Copyright (c) 2018-2026 The rust-random Project Developers",
      "Copyright (c) 2014 The Rust Project Developers",
    ],
  },
  {
    name: "inout",
    license: "MIT",
    url: "https://github.com/RustCrypto/utils",
    copyright: ["Copyright (c) 2022 The RustCrypto Project Developers", "Copyright (c) 2022 Artyom Pavlov"],
  },
  {
    name: "keccak",
    license: "MIT",
    url: "https://github.com/RustCrypto/sponges",
    copyright: ["Copyright (c) 2018-2022 RustCrypto Developers"],
  },
  {
    name: "sha3",
    license: "MIT",
    url: "https://github.com/RustCrypto/hashes",
    copyright: [
      "Copyright (c) 2006-2009 Graydon Hoare",
      "Copyright (c) 2009-2013 Mozilla Foundation",
      "Copyright (c) 2014 Sébastien Martini",
      "Copyright (c) 2016-2023 Artyom Pavlov, Marek Kotewicz",
    ],
  },
  {
    name: "subtle",
    license: "BSD-3-Clause",
    url: "https://github.com/dalek-cryptography/subtle",
    copyright: ["Copyright (c) 2016-2017 Isis Agora Lovecruft, Henry de Valence. All rights reserved."],
  },
  {
    name: "typenum",
    license: "MIT",
    url: "https://github.com/paholg/typenum",
    copyright: ["Copyright (c) 2014 Paho Lurie-Gregg"],
  },
  {
    name: "zeroize",
    license: "MIT",
    url: "https://github.com/RustCrypto/utils",
    copyright: ["Copyright (c) 2018-2021 The RustCrypto Project Developers"],
  },
];
