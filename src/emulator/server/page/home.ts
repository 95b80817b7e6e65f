import { createHash } from "node:crypto";
import packageJson from "../../../../package.json" with { type: "json" };
import { getDesign } from "../../../base/assets.js";
import { escapeMarkup } from "../../../base/markup.js";
import { apis } from "../../../contract/apis.js";
import { uiPath } from "../../paths.js";
import type { RequestRecord, ResponseRecord } from "../../records.js";

const apiTitles: Readonly<Record<keyof typeof apis, string>> = {
  public: "Public API",
  "distributor-v1": "Distributor API v1",
  "distributor-v2": "Distributor API v2",
  legacy: "Legacy API",
};

export function respondWithHome({ headers }: RequestRecord): ResponseRecord {
  const style = getDesign();
  const digest = createHash("sha256").update(style).digest("base64");
  return {
    status: 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      // The page has no script and only one style sheet.
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    },
    body: renderHome(style, `http://${headers["host"] ?? "127.0.0.1"}`),
  };
}

function renderHome(style: string, url: string): string {
  const command = (words: string) => `<pre>${escapeMarkup(words)}</pre>`;
  const rows = Object.values(apis).map(
    ({
      name,
      descriptionPath,
    }) => `<tr><th scope="row">${apiTitles[name]}<br><code>${descriptionPath}</code></th>
<td><a href="${descriptionPath}/docs">Reference<span class="hidden"> of the ${apiTitles[name]}</span></a></td>
<td><a href="${descriptionPath}/openapi.json">OpenAPI<span class="hidden"> document of the ${apiTitles[name]}</span></a></td></tr>`,
  );
  const sections = [
    formatSection(
      "page",
      "Web page",
      [
        "<p>View calls, resources and requests, move the clock and add faults.</p>",
        "<p>The page requires a one-time link. To print the link:</p>",
        command("voxctl open emulator"),
        `<p><a class="button" href="${uiPath}">Open the web page again</a></p>`,
      ],
      true,
    ),
    formatSection("apis", "APIs", [
      '<div class="scroll"><table>',
      '<thead><tr><th scope="col">API</th><th scope="col">Reference</th><th scope="col">Document</th></tr></thead>',
      `<tbody>${rows.join("\n")}</tbody></table></div>`,
    ]),
    formatSection("voxctl", "Use the emulator from voxctl and other programs", [
      "<p>voxctl and its libraries read the address and a key from environment variables. To set these in a shell:</p>",
      command('eval "$(voxctl emulator env)"'),
      "<p>Or add a profile with a key that the emulator printed at startup:</p>",
      command(`voxctl profiles add local --url ${url}/api/v1`),
    ]),
    formatSection("health", "Check the emulator", [
      command(`voxctl emulator status\ncurl ${url}/api/v1/ping -H "Authorization: Bearer $VOXCTL_API_KEY"`),
    ]),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>voxctl emulator</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body class="document">
<main>
<h1>voxctl emulator</h1>
<p class="faint">Version ${escapeMarkup(packageJson.version)}. A local emulator of the voice-assistant service. Requests to the emulator never reach the real service.</p>
${sections.join("\n")}
</main>
</body>
</html>
`;
}

function formatSection(id: string, title: string, content: readonly string[], isCard = false): string {
  const type = isCard ? ' class="card"' : "";
  return `<section aria-labelledby="${id}"${type}><h2 id="${id}">${title}</h2>\n${content.join("\n")}</section>`;
}
