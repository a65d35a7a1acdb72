// ONNX Runtime and the libraries in its WebAssembly build for CPUs: those whose sources it names, and headers.
import type { Part } from "./part.ts";

export const onnxLibraries: readonly Part[] = [
  {
    name: "onnxruntime",
    license: "MIT",
    url: "https://github.com/microsoft/onnxruntime",
    copyright: ["Copyright (c) Microsoft Corporation"],
  },
  {
    name: "onnx",
    license: "Apache-2.0",
    url: "https://github.com/onnx/onnx",
    copyright: ["Copyright (c) ONNX Project Contributors"],
  },
  {
    name: "protobuf",
    license: "BSD-3-Clause",
    url: "https://github.com/protocolbuffers/protobuf",
    copyright: ["Copyright 2008 Google Inc. All rights reserved."],
  },
  {
    name: "utf8_range",
    license: "MIT",
    url: "https://github.com/protocolbuffers/utf8_range",
    copyright: ["Copyright (c) 2019 Yibo Cai", "Copyright 2022 Google LLC"],
  },
  {
    name: "abseil_cpp",
    license: "Apache-2.0",
    url: "https://github.com/abseil/abseil-cpp",
    copyright: ["Copyright 2017 The Abseil Authors."],
  },
  {
    name: "re2",
    license: "BSD-3-Clause",
    url: "https://github.com/google/re2",
    copyright: ["Copyright (c) 2009 The RE2 Authors. All rights reserved."],
  },
  {
    name: "flatbuffers",
    license: "Apache-2.0",
    url: "https://github.com/google/flatbuffers",
    copyright: ["Copyright 2014 Google Inc. All rights reserved."],
  },
  {
    name: "Eigen",
    license: "MPL-2.0",
    url: "https://gitlab.com/libeigen/eigen",
    copyright: [
      "Copyright (C) 2008 Gael Guennebaud <gael.guennebaud@inria.fr>",
      "Copyright (C) 2006-2011 Benoit Jacob <jacob.benoit.1@gmail.com>",
      "Copyright (C) 2014 Benoit Steiner <benoit.steiner.goog@gmail.com>",
    ],
  },
  {
    name: "GSL",
    license: "MIT",
    url: "https://github.com/microsoft/GSL",
    copyright: ["Copyright (c) 2015 Microsoft Corporation. All rights reserved."],
  },
  {
    name: "SafeInt",
    license: "MIT",
    url: "https://github.com/dcleblanc/SafeInt",
    copyright: ["Copyright (c) Microsoft Corporation"],
  },
  {
    name: "json",
    license: "MIT",
    url: "https://github.com/nlohmann/json",
    copyright: ["Copyright (c) 2013-2022 Niels Lohmann"],
  },
  {
    name: "date",
    license: "MIT",
    url: "https://github.com/HowardHinnant/date",
    copyright: [
      "Copyright (c) 2015, 2016, 2017 Howard Hinnant",
      "Copyright (c) 2016 Adrian Colomitchi",
      "Copyright (c) 2017 Florian Dang",
      "Copyright (c) 2017 Paul Thompson",
      "Copyright (c) 2018, 2019 Tomasz Kamiński",
      "Copyright (c) 2019 Jiangang Zhuang",
    ],
  },
  {
    name: "mp11",
    license: "BSL-1.0",
    url: "https://github.com/boostorg/mp11",
    copyright: ["Copyright 2015-2023 Peter Dimov."],
  },
  {
    name: "Emscripten",
    license: "MIT",
    url: "https://github.com/emscripten-core/emscripten",
    copyright: ["Copyright (c) 2010-2014 Emscripten authors, see AUTHORS file."],
  },
  {
    name: "musl",
    license: "MIT AND SunPro AND BSD-2-Clause",
    url: "https://musl.libc.org",
    copyright: [
      "Copyright (c) 2005-2020 Rich Felker, et al.",
      "Copyright (c) 1993, 2004 Sun Microsystems, Inc.",
      "Copyright (c) 2003-2011 David Schultz",
      "Copyright (c) 2003-2009 Steven G. Kargl",
      "Copyright (c) 2003-2009 Bruce D. Evans",
      "Copyright (c) 2008 Stephen L. Moshier",
    ],
  },
  {
    name: "libc++ and compiler-rt",
    license: "Apache-2.0 WITH LLVM-exception",
    url: "https://github.com/llvm/llvm-project",
    copyright: ["Author: the LLVM Project"],
    note: "The exception frees compiled programs from sections 4(a), 4(b) and 4(d) of the licence.",
  },
];
