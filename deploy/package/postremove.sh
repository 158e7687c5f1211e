#!/bin/sh
# What was shared stays in /var/lib/devkiln, and with it the user whose it is,
# also on a purge: nobody gets it back otherwise. Without data the user goes.
set -e
case "$1" in
purge | 0)
	if [ ! -e /var/lib/devkiln ] && [ ! -e /var/lib/private/devkiln ] && getent passwd devkiln >/dev/null; then
		userdel devkiln
	fi
	;;
esac
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
