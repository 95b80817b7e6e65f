type Schema = Readonly<Record<string, unknown>>;

/** String formats that a schema can state without revealing values. */
const forms: readonly (readonly [name: Schema, form: RegExp])[] = [
  [{ pattern: "^\\+[1-9]\\d{6,14}$" }, /^\+[1-9]\d{6,14}$/],
  [{ pattern: "^[a-f0-9]{24}$" }, /^[a-f0-9]{24}$/],
  [{ format: "uuid" }, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  [{ format: "date-time" }, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/],
];

/** Describes a set of JSON values without containing the values. */
export interface Shape {
  types: Set<string>;
  objects: number;
  /** `count` is the number of objects with the property. */
  properties: Map<string, { count: number; shape: Shape }>;
  items: Shape | undefined;
  forms: typeof forms;
}

export function createShape(): Shape {
  return { types: new Set(), objects: 0, properties: new Map(), items: undefined, forms };
}

export function addToShape(shape: Shape, value: unknown): void {
  shape.types.add(getType(value));
  if (typeof value === "string") shape.forms = shape.forms.filter(([, form]) => form.test(value));
  else if (Array.isArray(value))
    for (const entry of value) {
      shape.items ??= createShape();
      addToShape(shape.items, entry);
    }
  else if (typeof value === "object" && value !== null) {
    shape.objects += 1;
    for (const [name, of] of Object.entries(value)) {
      const property = shape.properties.get(name) ?? { count: 0, shape: createShape() };
      property.count += 1;
      addToShape(property.shape, of);
      shape.properties.set(name, property);
    }
  }
}

function getType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** A property is required if all objects have it. */
export function toSchema(shape: Shape): Schema {
  const types = [...shape.types].sort();
  // The type `number` includes integers.
  const named = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  return {
    type: named.length === 1 ? named[0] : named,
    ...(shape.types.has("object") ? toObjectSchema(shape) : {}),
    ...(shape.items ? { items: toSchema(shape.items) } : {}),
    ...(shape.types.has("string") ? shape.forms[0]?.[0] : {}),
  };
}

function toObjectSchema({ properties, objects }: Shape): Schema {
  const inAll = [...properties].filter(([, { count }]) => count === objects).map(([name]) => name);
  return {
    properties: Object.fromEntries([...properties].map(([name, { shape }]) => [name, toSchema(shape)])),
    ...(inAll.length > 0 ? { required: inAll } : {}),
  };
}
