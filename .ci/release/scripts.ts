// Scripts that packages run when they are installed, upgraded, removed and purged (Debian Policy 6.5, RPM scriptlets).
import { manifest } from "./manifest.ts";

const { name, user, paths } = manifest;
const service = `${name}.service`;
const hasSystemd = "[ -d /run/systemd/system ]";

/** Control scripts of the .deb, by name. */
export const debScripts: Readonly<Record<string, string>> = {
  postinst: `#!/bin/sh
set -e

if [ "$1" = configure ]; then
  getent passwd ${user.name} >/dev/null ||
    adduser --system --group --quiet --home ${paths.state} --no-create-home --gecos "${manifest.summary}" ${user.name}
  # The state may hold points and secrets.
  if [ -z "$2" ]; then
    chown ${user.name}:${user.name} ${paths.state}
    chmod 0700 ${paths.state}
  fi
  if command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper unmask ${service} >/dev/null || true
    if deb-systemd-helper --quiet was-enabled ${service}; then
      deb-systemd-helper enable ${service} >/dev/null || true
    else
      deb-systemd-helper update-state ${service} >/dev/null || true
    fi
  fi
  if ${hasSystemd}; then
    systemctl --system daemon-reload >/dev/null || true
    if [ -n "$2" ]; then
      deb-systemd-invoke restart ${service} >/dev/null || true
    else
      deb-systemd-invoke start ${service} >/dev/null || true
    fi
  fi
fi
`,
  prerm: `#!/bin/sh
set -e

if [ "$1" = remove ] && ${hasSystemd}; then
  deb-systemd-invoke stop ${service} >/dev/null || true
fi
`,
  postrm: `#!/bin/sh
set -e

if ${hasSystemd}; then
  systemctl --system daemon-reload >/dev/null || true
fi
if command -v deb-systemd-helper >/dev/null; then
  if [ "$1" = remove ]; then
    deb-systemd-helper mask ${service} >/dev/null || true
  elif [ "$1" = purge ]; then
    deb-systemd-helper purge ${service} >/dev/null || true
    deb-systemd-helper unmask ${service} >/dev/null || true
  fi
fi
if [ "$1" = purge ]; then
  rm -rf ${paths.state} ${paths.config}
  if command -v deluser >/dev/null; then
    deluser --quiet --system ${user.name} >/dev/null || true
  fi
fi
`,
};

/** Scriptlets of the .rpm, by section of the spec file; `$1` is the number of versions installed afterwards. */
export const rpmScripts: Readonly<Record<string, string>> = {
  pre: `getent group ${user.name} >/dev/null || groupadd --system ${user.name}
getent passwd ${user.name} >/dev/null ||
  useradd --system --gid ${user.name} --home-dir ${paths.state} --no-create-home --shell /sbin/nologin ${user.name}`,
  post: `if ${hasSystemd}; then
  systemctl daemon-reload || :
  if [ $1 -eq 1 ]; then systemctl preset ${service} || :; fi
fi`,
  preun: `if [ $1 -eq 0 ] && ${hasSystemd}; then systemctl disable --now ${service} || :; fi`,
  postun: `if [ $1 -ge 1 ] && ${hasSystemd}; then
  systemctl daemon-reload || :
  systemctl try-restart ${service} || :
fi`,
};
