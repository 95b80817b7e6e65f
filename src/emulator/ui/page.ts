import { uiPath } from "../paths.js";

/** The page runs its own script and asks its own origin; markup that is made from text is refused by the browser. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  // Recordings, as the API gave them to the page.
  "media-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">`;

/** The script fills it. */
export const page = `${head}
<title>Emulator</title>
<link rel="stylesheet" href="${uiPath}/ui.css">
<script type="module" src="${uiPath}/ui.js"></script>
</head>
<body>
<div id="page"></div>
<noscript><p>This page needs its script.</p></noscript>
</body>
</html>
`;

/** For who comes without a session, or with a ticket that was used. */
export const closedPage = `${head}
<title>Emulator: a link is needed</title>
</head>
<body>
<main>
<h1>This page opens with a one-time link</h1>
<p>It was printed when the emulator started, and works once. Another one: <code>voxctl emulator ui</code></p>
</main>
</body>
</html>
`;
