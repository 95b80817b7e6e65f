import { uiPath } from "../paths.js";

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
<p>It was printed when the emulator started, and works once. Another one: <code>voxctl open emulator</code></p>
</main>
</body>
</html>
`;
