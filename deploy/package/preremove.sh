#!/bin/sh
# dpkg says "remove" where an upgrade is none, rpm says 0.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now devkiln.service
	fi
	;;
esac
