import type { JsonSchema } from "../../contract/json-schema.js";
import { html, type Markup } from "./markup.js";
import { inline } from "./prose.js";

const componentPrefix = "#/components/schemas/";

interface Row {
  /** Path of the object that contains the field, such as `hours[].`; empty for a top-level field. */
  prefix?: string;
  name: string;
  schema: JsonSchema;
  description?: string | undefined;
  required: boolean;
  id?: string;
}

export function schemaMarkup(title: string, schema: JsonSchema): Markup {
  const rows = listFields(schema);
  return rows.length > 0 ? tableMarkup(title, rows) : html`<p>${typeMarkup(schema)}</p>`;
}

export function namedSchemaMarkup(
  title: string,
  schema: JsonSchema,
  named: Readonly<Record<string, JsonSchema>>,
): Markup {
  return schemaMarkup(title, named[nameOf(schema) ?? ""] ?? schema);
}

export function schemaId(name: string): string {
  return `schema-${name}`;
}

export function tableMarkup(title: string, rows: readonly Row[]): Markup {
  return html`<table class="fields">
<caption class="hidden">${title}</caption>
<thead class="hidden"><tr><th scope="col">Name</th><th scope="col">Description</th></tr></thead>
<tbody>
${rows.map(
  ({ prefix = "", name, schema, description, required, id }) =>
    html`<tr${id && html` id="${id}"`}><th scope="row"><code><span class="faint">${prefix}</span>${name}</code>${required ? html` <small class="bad">required</small>` : undefined}</th><td class="wide">${typeMarkup(schema)}${description ? html`<br>${inline(description)}` : undefined}</td></tr>
`,
)}</tbody>
</table>
`;
}

function listFields(schema: JsonSchema, prefix = ""): Row[] {
  const { properties = {}, required = [] } = findObject(schema) ?? {};
  return Object.entries(properties).flatMap(([name, field]) => [
    { prefix, name, schema: field, description: field.description, required: required.includes(name) },
    ...listFields(field, `${prefix}${name}${isList(field) ? "[]" : ""}.`),
  ]);
}

function findObject(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return findObject(schema.items);
  return (schema.anyOf ?? []).map(findObject).find((object) => object !== undefined);
}

function isList(schema: JsonSchema): boolean {
  return schema.items !== undefined || (schema.anyOf ?? []).some(isList);
}

/** Renders a type such as `string`, `list of integer` or `"read" or "write"`. Links to named schemas. */
export function typeMarkup(schema: JsonSchema): Markup {
  const limits = formatLimits(schema);
  return html`<small>${typeOf(schema)}${limits.length > 0 ? `, ${limits.join(", ")}` : ""}</small>`;
}

function nameOf(schema: JsonSchema): string | undefined {
  const reference = schema["$ref"];
  return typeof reference === "string" && reference.startsWith(componentPrefix)
    ? reference.slice(componentPrefix.length)
    : undefined;
}

function typeOf(schema: JsonSchema): Markup {
  const named = nameOf(schema);
  if (named !== undefined) return html`<a href="#${schemaId(named)}">${named}</a>`;
  if ("const" in schema) return html`<code>${JSON.stringify(schema["const"])}</code>`;
  if (Array.isArray(schema["enum"]))
    return joinAlternatives(schema["enum"].map((value) => html`<code>${JSON.stringify(value)}</code>`));
  if (schema.anyOf) return joinAlternatives(schema.anyOf.map(typeOf));
  if (schema.items) return html`list of ${typeOf(schema.items)}`;
  const { type = schema.properties ? "object" : "anything" } = schema;
  return joinAlternatives([type].flat().map((name) => html`${name}`));
}

function joinAlternatives(alternatives: readonly Markup[]): Markup {
  return html`${alternatives.map((alternative, index) => html`${index > 0 ? " or " : ""}${alternative}`)}`;
}

function formatLimits(schema: JsonSchema): string[] {
  const number = (keyword: string) => {
    const value = schema[keyword];
    return typeof value === "number" ? value : undefined;
  };
  const text = (keyword: string, format: (value: string) => string) => {
    const value = schema[keyword];
    return typeof value === "string" ? [format(value)] : [];
  };
  return [
    ...text("format", (value) => value),
    ...span(number("minLength"), number("maxLength"), "characters"),
    ...span(number("minItems"), number("maxItems"), "items"),
    ...span(number("minimum"), number("maximum"), ""),
    ...text("pattern", (value) => `matches ${value}`),
    ...("default" in schema ? [`default ${JSON.stringify(schema["default"])}`] : []),
  ];
}

/** Returns a range such as `1 to 200 characters`, `at most 50 items` or `at least 0`. */
function span(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return [];
  const amount =
    least === undefined
      ? `at most ${most}`
      : most === undefined
        ? `at least ${least}`
        : least === most
          ? `exactly ${least}`
          : `${least} to ${most}`;
  return [`${amount} ${unit}`.trim()];
}
