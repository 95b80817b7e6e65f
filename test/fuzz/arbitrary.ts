import fc from "fast-check";

/** A JSON Schema, as far as the document uses it. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Source {
  /** Resolves `$ref`. */
  resolve(schema: Schema): Schema;
  /** IDs of existing resources, for fields and parameters of this name. */
  idsFor(name: string): readonly string[];
}

/** A secret that no response may contain. */
export const secretMark = "s3cret-of-the-fuzzer";

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;
const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** Generates values. The schema allows most of them, and most of their IDs exist. */
export function createArbitrary(source: Source, raw: Schema, name = "", depth = 0): fc.Arbitrary<unknown> {
  const schema = source.resolve(raw);
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
  const choices = [...schemasIn(schema["anyOf"]), ...schemasIn(schema["oneOf"])];
  if (choices.length > 0)
    return fc.oneof(...choices.map((choice) => createArbitrary(source, choice, name, depth)));
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  return fc.oneof(...types.map((type) => ofType(source, schema, String(type), name, depth)));
}

function ofType(
  source: Source,
  schema: Schema,
  type: string,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const number = (field: string, fallback: number) =>
    typeof schema[field] === "number" ? schema[field] : fallback;
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: number("minimum", -5), max: number("maximum", 5_000) });
    case "number":
      return fc.double({ min: number("minimum", -5), max: number("maximum", 5_000), noNaN: true });
    case "array": {
      const items = isSchema(schema["items"]) ? schema["items"] : {};
      const itemValue = createArbitrary(source, items, name.replace(/s$/, ""), depth + 1);
      const maxLength = Math.min(number("maxItems", 3), 3);
      return schema["uniqueItems"]
        ? fc.uniqueArray(itemValue, { maxLength })
        : fc.array(itemValue, { maxLength });
    }
    case "object":
      return objectsOf(source, schema, depth);
    case "string":
      return textsOf(source, schema, name);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function objectsOf(source: Source, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = isSchema(schema["properties"]) ? schema["properties"] : undefined;
  if (!properties || depth > 6)
    return fc.dictionary(fc.constantFrom("a", "X-B", "__proto__", "type"), fc.constantFrom("1", "x"));
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"].map(String) : []);
  const fields = Object.entries(properties).filter((entry): entry is [string, Schema] => isSchema(entry[1]));
  const arbitraries = Object.fromEntries(
    fields.map(([name, field]) => [name, createArbitrary(source, field, name, depth + 1)]),
  );
  return fc.record(arbitraries, {
    requiredKeys: fields.map(([name]) => name).filter((name) => required.has(name)),
  });
}

function textsOf(source: Source, schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (/secret|password/.test(name)) return fc.constant(secretMark);
  const ids = source.idsFor(name);
  if (ids.length > 0) return fc.constantFrom(...ids);
  if (name === "to" || name === "target_phone")
    return fc.constantFrom("+4930123456", "030 123 456", "+49301230004");
  if (name === "timezone") return fc.constantFrom("Europe/Berlin", "UTC", "Mars/Base");
  switch (schema["format"]) {
    case "date-time":
      return fc.constantFrom("2026-02-01T00:00:00Z", "2026-03-01T12:00:00+02:00");
    case "date":
      return fc.constantFrom("2026-02-01", "2026-03-01", "2026-02-30");
    case "uri":
      return fc.constantFrom("https://a.example/", "http://127.0.0.1:1/x?y=z");
    case "email":
      return fc.constant("a@b.example");
    default: {
      if (typeof schema["pattern"] === "string") return patterned(schema["pattern"]);
      const minLength = typeof schema["minLength"] === "number" ? schema["minLength"] : 0;
      return fc.oneof(
        fc.constantFrom(
          "Praxis",
          "+4930123456",
          "PZR",
          "Europe/Berlin",
          "sip:a@b.example",
          "de",
          "https://a.example/",
        ),
        fc.string({ unit: "grapheme", minLength, maxLength: 12 }),
      );
    }
  }
}

function patterned(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"));
  } catch {
    // Patterns with a look-ahead can't be used to generate values.
    return fc.constantFrom("x", "a_b", "08:00", "+4930123456");
  }
}

const odd = fc.constantFrom<unknown>(
  ...[null, 0, -1, 1e21, true, "", " ", "x".repeat(250), "\u0000", "\ud800", "nonsense", "0".repeat(24)],
  ...[[], [[]], {}, { $gt: "" }, [null], "' OR 1=1 --", "../..", "__proto__"],
);

/** Generates a body with one error in a random location. */
export function corruptBody(body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(body, fc.constantFrom("replace", "drop", "add", "deep", "whole"), fc.nat(50), odd)
    .map(([value, how, index, replacement]) => {
      if (!isSchema(value) || Array.isArray(value) || how === "whole")
        return how === "whole" ? replacement : value;
      const names = Object.keys(value);
      const name = names[index % Math.max(1, names.length)];
      const changed: Record<string, unknown> = { ...value };
      if (how === "add" || name === undefined) changed["colour"] = replacement;
      else if (how === "drop") delete changed[name];
      else if (how === "deep" && isSchema(changed[name]))
        changed[name] = { ...changed[name], [String(index)]: replacement };
      else changed[name] = replacement;
      return changed;
    });
}
