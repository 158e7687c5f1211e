# A static binary in an empty image, run by nobody.
#
#   docker build -t devkiln .
#   docker run -p 127.0.0.1:8080:8080 -v devkiln:/data devkiln
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/devkiln ./cmd/devkiln && mkdir -p /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/devkiln /devkiln
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
ENV DEVKILN_LISTEN=:8080 DEVKILN_STORE=sqlite:/data/devkiln.db
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["/devkiln", "healthcheck"]
ENTRYPOINT ["/devkiln"]
