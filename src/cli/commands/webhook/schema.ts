type Schema = Readonly<Record<string, unknown>>;

/** Forms that tell what a text is, without the text. */
const forms: readonly (readonly [name: Schema, form: RegExp])[] = [
  [{ pattern: "^\\+[1-9]\\d{6,14}$" }, /^\+[1-9]\d{6,14}$/],
  [{ pattern: "^[a-f0-9]{24}$" }, /^[a-f0-9]{24}$/],
  [{ format: "uuid" }, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  [{ format: "date-time" }, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/],
];

/** The JSON Schema that all values fit: what is in each of them is required. Pure. */
export function schemaOf(values: readonly unknown[]): Schema {
  const types = [...new Set(values.map(typeOf))].sort();
  // Every integer is a number.
  const named = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  return {
    type: named.length === 1 ? named[0] : named,
    ...(types.includes("object") ? objectSchema(values.filter(isObject)) : {}),
    ...(types.includes("array") ? arraySchema(values.filter((value) => Array.isArray(value))) : {}),
    ...(types.includes("string") ? textSchema(values.filter((value) => typeof value === "string")) : {}),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function objectSchema(values: readonly object[]): Schema {
  const names = [...new Set(values.flatMap((value) => Object.keys(value)))];
  const inAll = names.filter((name) => values.every((value) => Object.hasOwn(value, name)));
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      schemaOf(values.filter((value) => Object.hasOwn(value, name)).map((value) => Reflect.get(value, name))),
    ]),
  );
  return { properties, ...(inAll.length > 0 ? { required: inAll } : {}) };
}

function arraySchema(values: readonly unknown[][]): Schema {
  const entries = values.flat();
  return entries.length === 0 ? {} : { items: schemaOf(entries) };
}

function textSchema(texts: readonly string[]): Schema {
  return forms.find(([, form]) => texts.every((text) => form.test(text)))?.[0] ?? {};
}
