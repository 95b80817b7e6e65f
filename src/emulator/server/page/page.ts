import { uiPath } from "../../paths.js";

const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">`;

export const page = `${head}
<title>Emulator</title>
<link rel="stylesheet" href="${uiPath}/ui.css">
<script type="module" src="${uiPath}/ui.js"></script>
</head>
<body>
<div id="page"></div>
<noscript><p>This page requires JavaScript.</p></noscript>
</body>
</html>
`;

/** Page for visitors without a session or with a used ticket. */
export const closedPage = `${head}
<title>Emulator: link required</title>
</head>
<body>
<main>
<h1>A one-time link is required</h1>
<p>The emulator printed the link at startup. For a new link, run: <code>voxctl open emulator</code></p>
</main>
</body>
</html>
`;
