import type { OpenApiDocument } from "../types.js";
import { schemaId, schemaMarkup, typeMarkup } from "./fields.js";
import { html, type Markup } from "./markup.js";
import {
  type LocatedOperation,
  methodMarkup,
  operationMarkup,
  responseId,
  responseMarkup,
} from "./operation.js";
import { inline, prose } from "./prose.js";

/**
 * Renders a document as a page. The page is complete without its script, which adds search and requests. The script and
 * the styles are in the `docs` directory next to the page.
 */
export function renderPage(document: OpenApiDocument): string {
  const { info, servers, components } = document;
  const sections = buildSections(document);
  // plain-words: allow sentence-long
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/docs.css">
<script type="module" src="docs/docs.js"></script>
</head>
<body data-server="${servers[0]?.url ?? ""}">
<a class="skip" href="#main">Skip to content</a>
<header>
<button type="button" class="menu-button" popovertarget="menu">Operations</button>
<p class="title"><a class="quiet" href="#top">${info.title}</a> <small>${info.version}</small></p>
</header>
${menuMarkup(sections)}<main id="main" tabindex="-1">
<section id="top">
<h1>${info.title}</h1>
<p>${inline(info.summary)} Download: <a href="openapi.json">openapi.json</a>, <a href="openapi.yaml">openapi.yaml</a>.</p>
${prose(info.description)}${keyMarkup}</section>
${sections.map(
  ({ tag, operations }) => html`<h2 id="${tagId(tag)}">${tag}</h2>
${operations.map((operation) => operationMarkup(operation, components))}`,
)}<h2 id="errors">Errors</h2>
${Object.entries(components.responses).map(
  ([name, response]) => html`<section id="${responseId(name)}"><h3>${name}</h3>
${responseMarkup(response, components)}</section>
`,
)}<h2 id="headers">Response headers</h2>
<ul class="fields">
${Object.entries(components.headers).map(
  ([
    name,
    { description, schema },
  ]) => html`<li id="header-${name}"><code class="name">${name}</code> ${typeMarkup(schema)}
<p>${inline(description)}</p></li>
`,
)}</ul>
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section id="${schemaId(name)}"><h3>${name}</h3>
${schemaMarkup(schema)}</section>
`,
)}</main>
</body>
</html>
`.text;
}

interface Section {
  tag: string;
  operations: LocatedOperation[];
}

/** Groups the operations by their first tag, in the order of the document. */
function buildSections({ tags, paths }: OpenApiDocument): Section[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ operation, method, path })),
  );
  return tags.map(({ name }) => ({
    tag: name,
    operations: all.filter(({ operation }) => operation.tags[0] === name),
  }));
}

function tagId(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;
}

/** Renders the list of operations. On a wide screen, it is next to the content; otherwise, a button opens it. */
function menuMarkup(sections: readonly Section[]): Markup {
  return html`<nav id="menu" popover aria-label="Operations">
<p class="filter" hidden><label for="filter">Find an operation</label><input id="filter" type="search" autocomplete="off" spellcheck="false"></p>
<ul>
<li><a class="quiet" href="#top">Introduction</a></li>
${sections.map(
  ({ tag, operations }) => html`<li><a class="quiet tag" href="#${tagId(tag)}">${tag}</a>
<ul>
${operations.map(
  ({
    operation,
    method,
    path,
  }) => html`<li data-words="${[operation.summary, method, path, operation.operationId].join(" ").toLowerCase()}"><a class="quiet" href="#${operation.operationId}">${methodMarkup(method)} ${operation.summary}</a></li>
`,
)}</ul></li>
`,
)}<li><a class="quiet" href="#errors">Errors</a></li>
<li><a class="quiet" href="#headers">Response headers</a></li>
<li><a class="quiet" href="#schemas">Schemas</a></li>
</ul>
</nav>
`;
}

const keyMarkup = html`<form id="key-form">
<h2 id="key-heading">Try operations</h2>
<p><label for="key">API key: <code>voxctl emulator start</code> prints an emulator's keys</label><input id="key" type="password" autocomplete="off" spellcheck="false"></p>
<p><button type="button" id="emulator-keys">Use a key of this emulator</button></p>
<p id="emulator-key" hidden><label for="emulator-key-choice">A key of this emulator</label><select id="emulator-key-choice"></select></p>
<p id="key-news" role="status"></p>
</form>
`;
