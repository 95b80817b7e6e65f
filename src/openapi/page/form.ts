import type { LocatedOperation, ParameterObject } from "../types.js";
import { html, type Markup } from "./markup.js";

/** The page's script builds the request from field names such as `query:limit`. */
export function formMarkup({ operation, method, path }: LocatedOperation): Markup {
  const { operationId: id, parameters = [], requestBody, security } = operation;
  const example = Object.values(requestBody?.content["application/json"]?.examples ?? {})[0];
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}"${security?.length === 0 ? html` data-keyless` : undefined}>
${parameters.map((parameter) => inputMarkup(id, parameter))}${
  requestBody &&
  html`<p class="field"><label for="${id}-body">Body</label><textarea id="${id}-body" class="code" name="body" rows="8" spellcheck="false" autocomplete="off">${JSON.stringify(example?.value ?? {}, null, 2)}</textarea></p>
`
}<p><button type="submit" class="primary">Send ${method.toUpperCase()} ${path}</button></p>
</form>
<output></output></details>
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
    return html`<p class="field">${label}<select id="${id}" name="${part}:${name}"${needed}>${required ? undefined : html`<option value=""></option>`}${choices.map((value) => html`<option>${String(value)}</option>`)}</select></p>
`;
  // Show a path parameter's example only as a placeholder, because the emulator has no resource with this ID.
  const hint = part === "path" ? undefined : example;
  return html`<p class="field">${label}<input id="${id}" name="${part}:${name}"${needed} autocomplete="off" spellcheck="false"${
    hint === undefined ? undefined : html` value="${String(hint)}"`
  }${part === "path" && example !== undefined ? html` placeholder="${String(example)}"` : undefined}></p>
`;
}
