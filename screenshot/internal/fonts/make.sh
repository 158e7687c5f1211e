#!/bin/sh
# Makes the subsets of fonts beside it, with npm, and fontTools 4.38 with brotli
# (Debian: fonttools, python3-brotli):
#   the ASCII that SVGs embed out of JetBrains Mono
#   the Latin of the other families, out of the packages that README.md lists
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
latin=U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032-2033,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212,U+22EF
subset() {
  fonttools subset "$1" --output-file="$2" --flavor="${2##*.}" --unicodes="$3" --layout-features="$4" --no-hinting --name-IDs=0,1,2,13,14
}
# fetch gets a package and its licence: name, version, file of the licence, ours.
fetch() {
  mkdir "$work/$4"
  npm pack --silent --pack-destination "$work/$4" "$1@$2"
  tar -xzf "$work/$4"/*.tgz -C "$work/$4"
  cp "$work/$4/package/$3" "$4-licence.txt"
}
pages=../../../httpapi/internal/layout/fonts

for style in Regular Bold Italic BoldItalic; do
  subset "JetBrainsMono-$style.ttf" "ascii-$style.woff2" U+0020-007E ''
done

fetch firacode 6.2.0 LICENSE FiraCode
for style in Regular Bold; do
  subset "$work/FiraCode/package/distr/ttf/FiraCode-$style.ttf" "FiraCode-$style.woff" $latin calt,ccmp,mark
done

fetch geist 1.9.2 LICENSE.txt GeistMono
for style in Regular Bold Italic BoldItalic; do
  subset "$work/GeistMono/package/dist/fonts/geist-mono/GeistMono-$style.ttf" "GeistMono-$style.woff" $latin ccmp,mark
done

fetch @fontsource/roboto-mono 5.3.0 LICENSE RobotoMono
for style in Regular=400-normal Bold=700-normal Italic=400-italic BoldItalic=700-italic; do
  subset "$work/RobotoMono/package/files/roboto-mono-latin-${style#*=}.woff2" "RobotoMono-${style%=*}.woff" $latin ccmp,mark
done

for family in FiraCode GeistMono RobotoMono; do
  subset "$family-Regular.woff" "$pages/$family.woff2" $latin ''
  cp "$family-licence.txt" "$pages"
done
