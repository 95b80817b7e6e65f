import { isFields } from "../../base/fields.js";

/** Returns a value that matches a JSON Schema from `voxctl webhook shape`. */
export function createExampleValue(schema: unknown): unknown {
  if (!isFields(schema)) return null;
  const types = [schema["type"]].flat();
  const type = types.includes("object") ? "object" : types[0];
  switch (type) {
    case "object": {
      const properties = isFields(schema["properties"]) ? schema["properties"] : {};
      return Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, createExampleValue(inner)]),
      );
    }
    case "array":
      return schema["items"] === undefined ? [] : [createExampleValue(schema["items"])];
    case "string":
      return "text";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}
