import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** Follows the reader's system; runs before anything is drawn. */
const themeScript = `
const dark = matchMedia("(prefers-color-scheme: dark)");
const page = document.querySelector("rapi-doc");
const follow = () => page.setAttribute("theme", dark.matches ? "dark" : "light");
follow();
dark.addEventListener("change", follow);
`;

const fonts = {
  regular: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  mono: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono', monospace",
};

/** What the page may do: run its own two scripts, style itself and ask its own origin. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash("sha256").update(themeScript).digest("base64")}'`,
  // The viewer writes style elements and attributes.
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page that shows the document beside it, and sends requests to the emulator that serves it. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Public API</title>
<link rel="icon" href="data:,">
<script type="module" src="docs/rapidoc.js"></script>
</head>
<body>
<rapi-doc
  spec-url="openapi.json"
  load-fonts="false"
  regular-font="${fonts.regular}"
  mono-font="${fonts.mono}"
  render-style="focused"
  schema-style="table"
  schema-description-expanded="true"
  show-header="false"
  show-method-in-nav-bar="as-colored-text"
  nav-item-spacing="compact"
  allow-server-selection="false"
  sort-tags="false"
  nav-hover-bg-color="#3a3f47"
  primary-color="#2f7fd6"
></rapi-doc>
<script>${themeScript}</script>
</body>
</html>
`;

/**
 * The viewer's script.
 * @throws the system's error when it is missing
 */
export function viewerScript(): Uint8Array {
  // The build puts it beside its own files; from sources it is where npm put it.
  const built = fileURLToPath(new URL("../assets/rapidoc-min.js", import.meta.url));
  return readFileSync(
    existsSync(built) ? built : createRequire(import.meta.url).resolve("rapidoc/dist/rapidoc-min.js"),
  );
}
