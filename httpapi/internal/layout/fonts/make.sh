#!/bin/sh
# Makes the fonts of the pages out of their sources:
#   Inter 4.1 (npm inter-ui 4.1.1, variable/InterVariable.woff2)
#   JetBrains Mono, as pictures embed it (screenshot/internal/fonts)
# It needs npm, and fontTools 4.38 with brotli (Debian: fonttools, python3-brotli).
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work" inter-ui@4.1.1
tar -xzf "$work"/inter-ui-4.1.1.tgz -C "$work"

latin=U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032-2033,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212,U+22EF
subset() {
  fonttools subset "$1" --output-file="$2" --unicodes="$3" --layout-features="$4" --flavor=woff2 --no-hinting --name-IDs=0,1,2,13,14
}

fonttools varLib.instancer "$work/package/variable/InterVariable.woff2" wght=400:650 opsz=14 --output "$work/inter.ttf" --quiet
subset "$work/inter.ttf" sans.woff2 "$latin" kern,tnum,ccmp,mark,case
cp "$work/package/LICENSE.txt" sans-licence.txt

mono=../../../../screenshot/internal/fonts
for style in Regular Bold Italic; do
  subset "$mono/JetBrainsMono-$style.ttf" "mono-$(echo $style | tr A-Z a-z).woff2" "$latin" ''
done
subset "$mono/JetBrainsMono-Regular.ttf" mono-more.woff2 U+0100-24FF,U+2800-10FFFF ccmp,mark
subset "$mono/JetBrainsMono-Regular.ttf" mono-signs.woff2 U+2500-27BF ''
cp "$mono/JetBrainsMono-licence.txt" mono-licence.txt

# The extensions of lines that test runners draw rules with look as the lines of boxes.
/usr/bin/python3 - mono-signs.woff2 <<'EOF'
import sys
from fontTools.ttLib import TTFont
font = TTFont(sys.argv[1])
for table in font["cmap"].tables:
    for new, old in {0x23AF: 0x2500, 0x23BA: 0x2500, 0x23BB: 0x2500, 0x23BC: 0x2500, 0x23BD: 0x2500, 0x23AE: 0x2502, 0x23D0: 0x2502}.items():
        if old in table.cmap:
            table.cmap.setdefault(new, table.cmap[old])
font.save(sys.argv[1])
EOF
