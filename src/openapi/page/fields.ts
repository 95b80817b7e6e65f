import type { JsonSchema } from "../../contract/json-schema.js";
import { html, type Markup } from "./markup.js";
import { inline } from "./prose.js";

const componentPrefix = "#/components/schemas/";

/** Renders a schema's content: an object's fields, including nested ones, or the type of any other schema. */
export function schemaMarkup(schema: JsonSchema): Markup {
  return fieldsOf(schema) ?? html`<p>${typeMarkup(schema)}</p>`;
}

/** Renders the fields of a named schema. See `fieldsMarkup`. */
export function namedSchemaMarkup(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): Markup {
  const name = nameOf(schema);
  const fields = name === undefined ? undefined : fieldsOf(named[name] ?? {});
  if (!fields) return schemaMarkup(schema);
  return html`<details><summary>${typeMarkup(schema)}</summary>${fields}</details>
`;
}

/** Returns a named schema's anchor on the page. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

function fieldsOf(schema: JsonSchema): Markup | undefined {
  const { properties, required = [] } = findObject(schema) ?? {};
  if (!properties || Object.keys(properties).length === 0) return undefined;
  return html`<ul class="fields">
${Object.entries(properties).map(([name, field]) => fieldMarkup(name, field, required.includes(name)))}</ul>
`;
}

function fieldMarkup(name: string, schema: JsonSchema, required: boolean): Markup {
  const { description } = schema;
  const inside = fieldsOf(schema);
  return html`<li><code class="name">${name}</code> ${typeMarkup(schema)}${required ? html` <span class="required">required</span>` : undefined}
${description ? html`<p>${inline(description)}</p>` : undefined}${inside && html`<details><summary>Fields of <code>${name}</code></summary>${inside}</details>`}</li>
`;
}

/** Finds the object whose fields to show: the schema itself, a list's item schema, or the only alternative that has fields. */
function findObject(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return findObject(schema.items);
  return (schema.anyOf ?? []).map(findObject).find((object) => object !== undefined);
}

/** Renders a type, such as `string`, `list of integer` or `"read" or "write"`, or a link to a named schema. */
export function typeMarkup(schema: JsonSchema): Markup {
  const limits = formatLimits(schema);
  return html`<span class="type">${typeOf(schema)}${limits.length > 0 ? `, ${limits.join(", ")}` : ""}</span>`;
}

/** Returns the name of the component to which a schema refers. */
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

/** Describes a value's constraints in words. */
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

/** Formats a range, such as `1 to 200 characters`, `at most 50 items` or `at least 0`. */
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
