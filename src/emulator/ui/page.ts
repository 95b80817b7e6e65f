import { surfaces } from "../../contract/surfaces.js";
import { uiPath } from "../paths.js";

/** The page runs its own script and asks its own origin; markup that is made from text is refused by the browser. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
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

const views = ["Requests", "Organizations", "Faults", "Limits", "Resources", "Rules"];

/** The landmarks; what is in them is the script's. */
export const page = `${head}
<title>Emulator</title>
<link rel="stylesheet" href="${uiPath}/ui.css">
<script type="module" src="${uiPath}/ui.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<h1>Emulator</h1>
<p id="world"></p>
<section id="clock" aria-labelledby="clock-heading"><h2 id="clock-heading">Clock</h2></section>
</header>
<nav aria-label="Views">
<ul>
${views.map((name) => `<li><a href="#${name.toLowerCase()}">${name}</a></li>`).join("\n")}
<li class="away"><a href="${surfaces.public.basePath}/docs?world-keys">API documentation</a></li>
</ul>
</nav>
<main id="main" tabindex="-1"></main>
<p id="news" role="status" aria-live="polite"></p>
<p id="trouble" role="alert"></p>
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
