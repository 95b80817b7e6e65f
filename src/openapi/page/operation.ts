import type {
  ComponentsObject,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from "../types.js";
import { namedSchemaMarkup, typeMarkup } from "./fields.js";
import { html, type Markup } from "./markup.js";
import { inline, prose } from "./prose.js";

/** An operation with its method and path. */
export interface LocatedOperation {
  operation: OperationObject;
  method: string;
  path: string;
}

/** Renders an operation, including a form that sends it. */
export function operationMarkup(located: LocatedOperation, components: ComponentsObject): Markup {
  const { operation } = located;
  const { operationId: id, summary, description, requestBody } = operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-heading">
<h3 id="${id}-heading"><a class="quiet" href="#${id}">${summary}</a></h3>
<p class="address">${methodMarkup(located.method)} <code>${located.path}</code></p>
${prose(description)}${parametersMarkup(operation.parameters ?? [])}${requestBody && contentMarkup("Body", requestBody.content, components)}${responsesMarkup(operation, components)}${formMarkup(located)}</section>
`;
}

export function methodMarkup(method: string): Markup {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function parametersMarkup(parameters: readonly ParameterObject[]): Markup | undefined {
  if (parameters.length === 0) return undefined;
  return html`<h4>Parameters</h4>
<ul class="fields">
${parameters.map(
  ({
    name,
    in: part,
    description,
    required,
    schema,
  }) => html`<li><code class="name">${name}</code> ${typeMarkup(schema)} <span class="limits">in the ${part}</span>${required ? html` <span class="required">required</span>` : undefined}
${description ? html`<p>${inline(description)}</p>` : undefined}</li>
`,
)}</ul>
`;
}

const responsePrefix = "#/components/responses/";

type Content = Readonly<Record<string, MediaTypeObject>>;

function contentMarkup(title: string, content: Content, { schemas }: ComponentsObject): Markup {
  return html`${Object.entries(content).map(
    ([mediaType, { schema, examples }]) => html`<h4>${title} <small>${mediaType}</small></h4>
${schema && namedSchemaMarkup(schema, schemas)}${examplesMarkup(examples)}`,
  )}`;
}

function examplesMarkup(examples: MediaTypeObject["examples"] = {}): Markup {
  return html`${Object.values(examples).map(
    ({
      summary,
      value,
    }) => html`<details class="example"><summary>Example${summary && `: ${summary}`}</summary>
<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre></details>
`,
  )}`;
}

function responsesMarkup({ responses }: OperationObject, components: ComponentsObject): Markup {
  const entries = Object.entries(responses);
  return html`<details class="answers"><summary>Responses: ${entries.map(([status]) => status).join(", ")}</summary>
${entries.map(([status, response]) =>
  "$ref" in response
    ? sharedResponseMarkup(status, response.$ref.replace(responsePrefix, ""), components)
    : html`<h4>${status}</h4>
${responseMarkup(response, components)}`,
)}</details>
`;
}

/** Renders a link to a shared error. Many operations have the same errors, so the page shows each error only once. */
function sharedResponseMarkup(status: string, name: string, { responses }: ComponentsObject): Markup {
  const { description = "" } = responses[name] ?? {};
  return html`<p><a href="#${responseId(name)}">${status}</a> ${inline(description)}</p>
`;
}

/** Returns a named response's anchor on the page. */
export function responseId(name: string): string {
  return `response-${name}`;
}

/** Renders a response's headers and bodies, without the status. */
export function responseMarkup(response: ResponseObject, components: ComponentsObject): Markup {
  return html`<p>${inline(response.description)}</p>
${headersMarkup(response)}${contentMarkup("Content", response.content ?? {}, components)}`;
}

function headersMarkup({ headers = {} }: ResponseObject): Markup | undefined {
  const names = Object.keys(headers);
  if (names.length === 0) return undefined;
  const links = names.map(
    (name, index) => html`${index > 0 ? ", " : ""}<a href="#header-${name}"><code>${name}</code></a>`,
  );
  return html`<p>Headers: ${links}</p>
`;
}

/** Renders the form that sends a request. The name of each field tells the script which part of the request it is. */
function formMarkup({ operation, method, path }: LocatedOperation): Markup {
  const { operationId: id, parameters = [], requestBody, security } = operation;
  const example = Object.values(requestBody?.content["application/json"]?.examples ?? {})[0];
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}"${security?.length === 0 ? html` data-keyless` : undefined}>
${parameters.map((parameter) => inputMarkup(id, parameter))}${
  requestBody &&
  html`<p><label for="${id}-body">Body</label><textarea id="${id}-body" name="body" rows="8" spellcheck="false" autocomplete="off">${JSON.stringify(example?.value ?? {}, null, 2)}</textarea></p>
`
}<p><button type="submit">Send ${method.toUpperCase()} ${path}</button></p>
</form>
<output class="answer"></output></details>
`;
}

function inputMarkup(
  operation: string,
  { name, in: part, required, schema, example }: ParameterObject,
): Markup {
  const id = `${operation}-${part}-${name}`;
  const label = html`<label for="${id}">${name}</label>`;
  const needed = required ? html` required` : undefined;
  const choices = schema["enum"];
  if (Array.isArray(choices))
    return html`<p>${label}<select id="${id}" name="${part}:${name}"${needed}>${required ? undefined : html`<option value=""></option>`}${choices.map((value) => html`<option>${String(value)}</option>`)}</select></p>
`;
  // IDs from the examples don't exist here, so they are shown as placeholders and not sent.
  const hint = part === "path" ? undefined : example;
  return html`<p>${label}<input id="${id}" name="${part}:${name}"${needed} autocomplete="off" spellcheck="false"${
    hint === undefined ? undefined : html` value="${String(hint)}"`
  }${part === "path" && example !== undefined ? html` placeholder="${String(example)}"` : undefined}></p>
`;
}
