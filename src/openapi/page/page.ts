import { icons } from "../../base/design/icons.js";
import type { ApiName } from "../../contract/apis.js";
import type { ComponentsObject, LocatedOperation, OpenApiDocument } from "../types.js";
import { schemaId, schemaMarkup, tableMarkup } from "./fields.js";
import { html, type Markup } from "./markup.js";
import { errorMarkup, methodMarkup, operationMarkup, samplesMarkup } from "./operation.js";
import { inline, prose } from "./prose.js";

/**
 * Renders one view per resource; the style sheet shows only the view that contains the target of the URL's
 * fragment. The page is readable without its script.
 */
export function renderPage(document: OpenApiDocument, api: ApiName): string {
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
<body class="frame" data-server="${servers[0]?.url ?? ""}">
<a class="button skip" href="#main">Skip to content</a>
${menuMarkup(sections)}<header class="bar row">
<button type="button" class="quiet menu" popovertarget="menu" aria-label="Menu"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${icons.menu}"/></svg></button>
<h1 class="truncated">${info.title} <small>${info.version}</small></h1>
<button type="button" id="key-button" popovertarget="key-form">API key</button>
</header>
${keyMarkup}<main id="main" tabindex="-1">
${introductionMarkup(document, api, sections[0]?.operations[0])}${sections.map((section) => sectionMarkup(section, api, components))}${componentViews(components)}</main>
</body>
</html>
`.text;
}

function introductionMarkup(
  { info }: OpenApiDocument,
  api: ApiName,
  first: LocatedOperation | undefined,
): Markup {
  return html`<section id="introduction" class="view">
<h2>Introduction</h2>
<div class="operation">
<div>
<p>${inline(info.summary)} Download: <a href="openapi.json">openapi.json</a>, <a href="openapi.yaml">openapi.yaml</a>.</p>
${prose(info.description)}</div>
<div class="sample">
<h3>Send a first request</h3>
<p>Set the variables for the address and a key in a shell:</p>
<pre tabindex="0">eval "$(voxctl emulator env)"</pre>
${first && samplesMarkup("first", first, api)}</div>
</div>
</section>
`;
}

interface Section {
  tag: string;
  description: string;
  operations: LocatedOperation[];
}

function buildSections({ tags, paths }: OpenApiDocument): Section[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ operation, method, path })),
  );
  return tags.map(({ name, description }) => ({
    tag: name,
    description,
    operations: all.filter(({ operation }) => operation.tags[0] === name),
  }));
}

function tagId(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;
}

function sectionMarkup(
  { tag, description, operations }: Section,
  api: ApiName,
  components: ComponentsObject,
): Markup {
  return html`<section id="${tagId(tag)}" class="view" aria-labelledby="${tagId(tag)}-heading">
<h2 id="${tagId(tag)}-heading">${tag}</h2>
<p>${inline(description)}</p>
<table>
<caption class="hidden">Operations</caption>
<tbody>
${operations.map(
  ({ operation: { operationId, summary }, method, path }) =>
    html`<tr><td class="wide">${methodMarkup(method)} <code>${path}</code></td><td class="wide"><a href="#${operationId}">${summary}</a></td></tr>
`,
)}</tbody>
</table>
${operations.map((operation) => operationMarkup(operation, api, components))}</section>
`;
}

function componentViews({ responses, headers, schemas }: ComponentsObject): Markup {
  return html`<section id="errors" class="view">
<h2>Errors</h2>
${Object.entries(responses).map(([name, response]) => errorMarkup(name, response))}</section>
<section id="headers" class="view">
<h2>Response headers</h2>
${tableMarkup(
  "Response headers",
  Object.entries(headers).map(([name, { description, schema }]) => ({
    id: `header-${name}`,
    name,
    schema,
    description,
    required: false,
  })),
)}</section>
<section id="schemas" class="view">
<h2>Schemas</h2>
<ul>
${Object.keys(schemas).map((name) => html`<li><a href="#${schemaId(name)}">${name}</a></li>\n`)}</ul>
</section>
${Object.entries(schemas).map(
  ([name, schema]) => html`<section id="${schemaId(name)}" class="view">
<p><a href="#schemas">Schemas</a></p>
<h2>${name}</h2>
${schemaMarkup(name, schema)}</section>
`,
)}`;
}

/** The script shows only the current resource's operations or, with a filter, the matching operations. */
function menuMarkup(sections: readonly Section[]): Markup {
  return html`<nav id="menu" class="nav" popover aria-label="Operations">
<p class="field" hidden><label for="filter">Find an operation</label><input id="filter" type="search" autocomplete="off" spellcheck="false"></p>
<p class="row"><a href="/">Home</a><a href="/_emulator/ui">Emulator</a></p>
<ul>
<li><a href="#introduction">Introduction</a></li>
${sections.map(
  ({ tag, operations }) => html`<li><a href="#${tagId(tag)}">${tag}</a>
<ul hidden>
${operations.map(
  ({ operation: { summary, operationId }, method, path }) =>
    html`<li data-words="${[summary, method, path, operationId].join(" ").toLowerCase()}"><a href="#${operationId}">${summary}</a></li>
`,
)}</ul></li>
`,
)}<li><a href="#errors">Errors</a></li>
<li><a href="#headers">Response headers</a></li>
<li><a href="#schemas">Schemas</a></li>
</ul>
</nav>
`;
}

const keyMarkup = html`<form id="key-form" popover aria-label="API key">
<p class="field"><label for="key">API key: <code>voxctl emulator start</code> prints an emulator's keys</label><input id="key" type="password" autocomplete="off" spellcheck="false"></p>
<p><button type="button" id="emulator-keys">Use a key of this emulator</button></p>
<p id="emulator-key" class="field" hidden><label for="emulator-key-choice">A key of this emulator</label><select id="emulator-key-choice"></select></p>
<p id="key-news" role="status"></p>
</form>
`;
