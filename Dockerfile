# A static binary and a few fonts in an empty image, run by nobody: about 56 MB.
#
#   docker build -t devkiln .
#   docker run -p 127.0.0.1:8080:8080 -v devkiln:/data devkiln
#
# A release puts the binary into it that its archives have:
# --build-arg BINARY=prebuilt, with the binary in the folder of its platform.
#
# The base images are named by digest, and the tag says which version that was.
# The fonts and root certificates are Debian's newest on the day of the build.
#
# /data belongs to user 65532. Give a folder of your own to that user first:
# chown 65532:65532 FOLDER, and then -v FOLDER:/data.
ARG BINARY=build

FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags='-s -w' -o /out/devkiln ./cmd/devkiln

FROM scratch AS prebuilt
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/devkiln /out/devkiln

FROM ${BINARY} AS binary

# What the embedded font lacks: Chinese, Japanese, Korean, Arabic, Hebrew,
# Devanagari, Thai and emoji, 20 MB with their licences.
FROM --platform=$BUILDPLATFORM debian:bookworm-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171 AS fonts
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates fonts-droid-fallback fonts-nanum fonts-noto-core fonts-noto-color-emoji \
 && mkdir /data /fonts && cd /usr/share/fonts/truetype \
 && cp droid/DroidSansFallbackFull.ttf nanum/NanumGothic.ttf noto/NotoColorEmoji.ttf /fonts/ \
 && for script in Arabic Hebrew Devanagari Thai; do cp "noto/NotoSans$script-Regular.ttf" /fonts/; done \
 && for package in fonts-droid-fallback fonts-nanum fonts-noto-core fonts-noto-color-emoji; do \
      cp "/usr/share/doc/$package/copyright" "/fonts/$package.copyright"; done \
 && cp /usr/share/common-licenses/Apache-2.0 /fonts/

FROM scratch
COPY --from=fonts /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=fonts /fonts /fonts
COPY --from=binary /out/devkiln /devkiln
COPY --from=fonts --chown=65532:65532 /data /data
USER 65532:65532
ENV DEVKILN_LISTEN=:8080 DEVKILN_STORE=sqlite:/data/devkiln.db DEVKILN_FONTS=/fonts DEVKILN_SYSTEM_FONTS=false
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["/devkiln", "healthcheck"]
ENTRYPOINT ["/devkiln"]
