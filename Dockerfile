# A static binary and a few fonts in an empty image, run by nobody: about 54 MB.
#
#   docker build -t devkiln .
#   docker run -p 127.0.0.1:8080:8080 -v devkiln:/data devkiln
#
# The two base images are named by tag; for a build that can be repeated, put the
# digests behind them that your registry shows.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/devkiln ./cmd/devkiln && mkdir -p /out/data

# What the embedded font lacks: Chinese, Japanese, Korean, Arabic, Hebrew,
# Devanagari, Thai and emoji, 20 MB with their licences.
FROM debian:bookworm-slim AS fonts
RUN apt-get update && apt-get install -y --no-install-recommends fonts-droid-fallback fonts-nanum fonts-noto-core fonts-noto-color-emoji \
 && mkdir /fonts && cd /usr/share/fonts/truetype \
 && cp droid/DroidSansFallbackFull.ttf nanum/NanumGothic.ttf noto/NotoColorEmoji.ttf /fonts/ \
 && for script in Arabic Hebrew Devanagari Thai; do cp "noto/NotoSans$script-Regular.ttf" /fonts/; done \
 && for package in fonts-droid-fallback fonts-nanum fonts-noto-core fonts-noto-color-emoji; do \
      cp "/usr/share/doc/$package/copyright" "/fonts/$package.copyright"; done \
 && cp /usr/share/common-licenses/Apache-2.0 /fonts/

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=fonts /fonts /fonts
COPY --from=build /out/devkiln /devkiln
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
ENV DEVKILN_LISTEN=:8080 DEVKILN_STORE=sqlite:/data/devkiln.db DEVKILN_FONTS=/fonts DEVKILN_SYSTEM_FONTS=false
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["/devkiln", "healthcheck"]
ENTRYPOINT ["/devkiln"]
