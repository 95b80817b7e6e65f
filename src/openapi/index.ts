/** Loaded only when a client requests a document. */

import { asset } from "../base/assets.js";
import { pagePolicy } from "../base/page-policy.js";
import { type ApiName, apis } from "../contract/apis.js";
import type { Operation } from "../contract/operation.js";
import { createOpenApiDocument } from "./document.js";
import { renderPage } from "./page/page.js";

interface Served {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/**
 * Returns an API's document as JSON, YAML or a page, or returns the page's script or style sheet.
 * @param part rest of the path, such as `openapi.json` or `docs`
 * @returns undefined for an unknown part
 */
export async function describe(
  api: ApiName,
  part: string,
  operations: Readonly<Record<string, Operation>>,
): Promise<Served | undefined> {
  // A URL without a host works with any host name.
  const document = () => createOpenApiDocument(operations, api, apis[api].basePath || "/");
  switch (part) {
    case "openapi.json":
      return served("application/json; charset=utf-8", JSON.stringify(document()));
    case "openapi.yaml":
      return served("application/yaml; charset=utf-8", await asYaml(document()));
    case "docs":
      return served("text/html; charset=utf-8", renderPage(document(), api), {
        "Content-Security-Policy": pagePolicy,
      });
    case "docs/docs.js":
      return served("text/javascript; charset=utf-8", asset("docs.js"));
    case "docs/docs.css":
      return served("text/css; charset=utf-8", asset("docs.css"));
    default:
      return undefined;
  }
}

/**
 * Uses no aliases, because they are hard to read. Quotes times, because YAML 1.1 parsers would convert them
 * to dates.
 */
export async function asYaml(document: object): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(document, { aliasDuplicateObjects: false, compat: "yaml-1.1", lineWidth: 110 });
}

function served(mediaType: string, body: string | Uint8Array, more: Record<string, string> = {}): Served {
  return {
    headers: {
      "Content-Type": mediaType,
      "Cache-Control": "no-cache",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      ...more,
    },
    body,
  };
}
