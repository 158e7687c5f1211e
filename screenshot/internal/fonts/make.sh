#!/bin/sh
# Makes the Latin subsets that SVGs embed out of the font files beside it, with
# fontTools 4.38 with brotli (Debian: fonttools, python3-brotli).
set -eu
cd "$(dirname "$0")"
latin=U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032-2033,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212
for style in Regular Bold Italic BoldItalic; do
  fonttools subset "JetBrainsMono-$style.ttf" --output-file="latin-$style.woff2" --unicodes="$latin" \
    --layout-features='' --flavor=woff2 --no-hinting --name-IDs=0,1,2,13,14
done
