// A caller of a client that openapi-typescript makes of the OpenAPI document.
import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

const [baseUrl, key] = process.argv.slice(2);
const kiln = createClient<paths>({ baseUrl, headers: { "X-API-Key": key } });

const made = await kiln.POST("/api/v1/log-share", { body: { content: "ERROR disk\n", expiry: "never", stats: { mine: 1 } } });
if (!made.data) throw new Error(made.error.error.message);
const log = await kiln.GET("/api/v1/log-share/{id}", { params: { path: { id: made.data.id } } });
const snippet = await kiln.POST("/api/v1/code-snippet-share", { body: { code: "x", language: "go" } });
const slug = await kiln.POST("/api/v1/slug-generator", { body: { text: "Crème brûlée" } });
const gradient = await kiln.POST("/api/v1/gradient-generator", { body: { colors: ["#ff0000", "#0000ff"], angle: 45 } });
const picture = await kiln.POST("/api/v1/code-screenshot", { body: { code: "x", shadow: false } });
const refused = await kiln.POST("/api/v1/slug-generator", { body: { text: "" } });
const gone = await kiln.DELETE("/api/v1/log-share/{id}", { params: { path: { id: made.data.id } } });

console.log(
  JSON.stringify([
    made.data.expiresAt,
    log.data?.content,
    log.data?.stats,
    snippet.data?.language,
    slug.data?.result,
    gradient.data?.css,
    typeof picture.data === "object" && picture.data.config.shadow,
    refused.error?.error.details?.[0]?.field,
    gone.data?.success,
  ]),
);
