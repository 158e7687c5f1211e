#!/bin/sh
# fetch.sh DIR gets the sources that sources.txt lists through go, npm and
# apt-get, one pinned version at a time, and leaves each in DIR as a tar archive
# named by the checksum of what the registry has. apt-get must know the source
# packages of Debian 12 and 13 (deb-src). Sources that cannot be had are named.
list=$(cd "$(dirname "$0")" && pwd)/sources.txt
mkdir -p "$1" && cd "$1" || exit 1

grep -v '^#' "$list" | while read -r registry name version _ _ sum _; do
	[ -e "$sum.tar" ] && continue
	rm -rf work && mkdir work && cd work || exit 1
	case $registry in
	go) cp "$(go mod download -json "$name@$version" | sed -n 's/.*"Zip": "\(.*\)".*/\1/p')" . ;;
	npm) npm pack --silent "$name@$version" ;;
	debian) apt-get source --quiet --download-only --tar-only "$name=$version" ;;
	esac </dev/null >&2
	archive=$(sha256sum -- * | sed -n "s/^$sum  //p" | head -n 1)
	case $archive in
	'') echo "$registry $name $version: no archive with this checksum" >&2 ;;
	*.zip) mkdir files && unzip -q "$archive" -d files && tar -cf "../$sum.tar" -C files . ;;
	*.gz | *.tgz) gzip -dc "$archive" >"../$sum.tar" ;;
	*.bz2) bzip2 -dc "$archive" >"../$sum.tar" ;;
	*.xz) xz -dc "$archive" >"../$sum.tar" ;;
	esac
	cd ..
done
rm -rf work
