import type { ApiName } from "../../contract/apis.js";
import type {
  ComponentsObject,
  LocatedOperation,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from "../types.js";
import { namedSchemaMarkup, tableMarkup, typeMarkup } from "./fields.js";
import { formMarkup } from "./form.js";
import { html, type Markup } from "./markup.js";
import { inline, prose } from "./prose.js";
import { buildSamples } from "./samples.js";

export function operationMarkup(
  located: LocatedOperation,
  api: ApiName,
  components: ComponentsObject,
): Markup {
  const { operationId: id, summary, description, requestBody, parameters = [] } = located.operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-heading">
<div>
<h3 id="${id}-heading"><a href="#${id}">${summary}</a></h3>
<p>${methodMarkup(located.method)} <code>${located.path}</code></p>
${prose(description)}${parametersMarkup(parameters)}${requestBody && bodyMarkup(requestBody.content, components)}${responsesMarkup(located.operation, components)}</div>
<div class="sample">
${samplesMarkup(id, located, api)}${exampleMarkup(located.operation)}${formMarkup(located)}</div>
</section>
`;
}

const tones: Readonly<Record<string, string>> = { get: "good", post: "accent", delete: "bad" };

export function methodMarkup(method: string): Markup {
  return html`<span class="pill ${tones[method] ?? "warning"}">${method.toUpperCase()}</span>`;
}

function parametersMarkup(parameters: readonly ParameterObject[]): Markup {
  return html`${(["path", "query", "header"] as const).map((part) => {
    const rows = parameters.filter((parameter) => parameter.in === part);
    const title = `${part === "path" ? "Path" : part === "query" ? "Query" : "Header"} parameters`;
    return rows.length > 0 ? html`<h4>${title}</h4>\n${tableMarkup(title, rows)}` : undefined;
  })}`;
}

const responsePrefix = "#/components/responses/";

type Content = Readonly<Record<string, MediaTypeObject>>;

function bodyMarkup(content: Content, { schemas }: ComponentsObject): Markup {
  return html`${Object.values(content).map(
    ({ schema }) => html`<h4>Body</h4>
${schema && namedSchemaMarkup("Body", schema, schemas)}`,
  )}`;
}

function jsonMarkup(value: unknown): Markup {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>
`;
}

/** @param id prefix for the name of the radio buttons */
export function samplesMarkup(id: string, located: LocatedOperation, api: ApiName): Markup {
  const samples = buildSamples(located, api);
  return html`<div class="languages">
<fieldset class="tabs"><legend class="hidden">Language of the request</legend>
${samples.map(
  ({ language, title }, index) =>
    html`<label><input type="radio" class="hidden" name="${id}-language" value="${language}"${index === 0 ? html` checked` : undefined}>${title}</label>
`,
)}</fieldset>
${samples.map(({ language, text }) => html`<pre tabindex="0" class="${language}">${text}</pre>\n`)}</div>
`;
}

function exampleMarkup({ responses }: OperationObject): Markup {
  return html`${Object.entries(responses)
    .slice(0, 1)
    .map(([status, response]) => {
      const content = "$ref" in response ? {} : (response.content ?? {});
      const [example] = Object.values(content["application/json"]?.examples ?? {});
      return html`<h4>Response <span class="pill good">${status}</span></h4>
${example ? jsonMarkup(example.value) : html`<p>${Object.keys(content).join(", ")}</p>`}`;
    })}`;
}

function responsesMarkup({ responses }: OperationObject, components: ComponentsObject): Markup {
  return html`<h4>Responses</h4>
<table>
<caption class="hidden">Responses</caption>
<thead class="hidden"><tr><th scope="col">Status</th><th scope="col">Description</th></tr></thead>
<tbody>
${Object.entries(responses).map(([status, response]) =>
  "$ref" in response
    ? sharedResponseMarkup(status, response.$ref.replace(responsePrefix, ""), components)
    : html`<tr><th scope="row">${status}</th><td class="wide">${inline(response.description)} ${contentMarkup(response.content ?? {})}<br>${headersMarkup(response)}</td></tr>
`,
)}</tbody>
</table>
`;
}

function contentMarkup(content: Content): Markup {
  return html`${Object.entries(content).map(([mediaType, { schema }]) => {
    const fields = Object.entries(schema?.properties ?? {});
    return fields.length > 0
      ? fields.map(([name, field]) => html`<br><code>${name}</code> ${typeMarkup(field)}`)
      : html`<br><code>${mediaType}</code> ${schema && typeMarkup(schema)}`;
  })}`;
}

/** Renders a link to a shared error, because the page shows each shared error only once. */
function sharedResponseMarkup(status: string, name: string, { responses }: ComponentsObject): Markup {
  const { description = "" } = responses[name] ?? {};
  return html`<tr><th scope="row"><a href="#${responseId(name)}">${status}</a></th><td class="wide">${inline(description)}</td></tr>
`;
}

function responseId(name: string): string {
  return `response-${name}`;
}

export function errorMarkup(name: string, response: ResponseObject): Markup {
  const examples = Object.values(response.content ?? {}).flatMap(({ examples = {} }) =>
    Object.values(examples),
  );
  return html`<section class="operation" id="${responseId(name)}">
<div>
<h3>${name}</h3>
<p>${inline(response.description)}</p>
<p>${headersMarkup(response)}</p>
</div>
<div class="sample">
${examples.map(({ value }) => jsonMarkup(value))}</div>
</section>
`;
}

function headersMarkup({ headers = {} }: ResponseObject): Markup | undefined {
  const names = Object.keys(headers);
  if (names.length === 0) return undefined;
  const links = names.map(
    (name, index) => html`${index > 0 ? ", " : ""}<a href="#header-${name}"><code>${name}</code></a>`,
  );
  return html`<small>Headers: ${links}</small>`;
}
