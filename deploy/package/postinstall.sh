#!/bin/sh
# Of the deb and the rpm. The service is enabled by whoever wants it:
# systemctl enable --now devkiln. The unit's DynamicUser takes the user made here.
set -e
if ! getent passwd devkiln >/dev/null; then
	useradd --system --user-group --no-create-home --home-dir /var/lib/devkiln --shell /usr/sbin/nologin devkiln
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart devkiln.service
fi
