#!/bin/sh
# Makes the ASCII subsets that SVGs embed out of the font files beside it, with
# fontTools 4.38 with brotli (Debian: fonttools, python3-brotli).
set -eu
cd "$(dirname "$0")"
for style in Regular Bold Italic BoldItalic; do
  fonttools subset "JetBrainsMono-$style.ttf" --output-file="ascii-$style.woff2" --unicodes=U+0020-007E \
    --layout-features='' --flavor=woff2 --no-hinting --name-IDs=0,1,2,13,14
done
