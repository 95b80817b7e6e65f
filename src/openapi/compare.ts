/** Compares a deployment's OpenAPI description, version 3.0 or 3.1, with the contract. */
import { type Fields, isFields } from "../base/fields.js";

export interface Difference {
  /** `POST /contacts` */
  operation: string;
  /** Location of the difference, such as `query limit` or `response data.id`. Can be the operation itself. */
  where: string;
  /** Differing property, such as `maxLength` or `exists`. */
  what: string;
  ours: string | null;
  theirs: string | null;
  /** ID of the decision behind the contract's value (`ours`); null if the documents specify the value. */
  assumed: string | null;
}

const readObject = (value: unknown, name: string): Fields => {
  const member = isFields(value) ? value[name] : undefined;
  return isFields(member) ? member : {};
};
const readText = (value: unknown, name: string): string | null => {
  const member = isFields(value) ? value[name] : undefined;
  return typeof member === "string" ? member : null;
};

const methods = ["get", "post", "put", "patch", "delete"];
/** Paths of operations that return the description. A description may omit these operations. */
const describing = /^\/(openapi\.(json|yaml)|docs)$/;
const constraints = [
  "type",
  "enum",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "default",
];
const deepest = 8;

/** @returns undefined if `theirs` is not an OpenAPI document */
export function compareDocuments(ours: unknown, theirs: unknown): Difference[] | undefined {
  if (
    !isFields(ours) ||
    !isFields(theirs) ||
    !isFields(theirs["paths"]) ||
    readText(theirs, "openapi") === null
  )
    return undefined;
  const [ourOperations, theirOperations] = [listOperations(ours), listOperations(theirs)];
  const differences: Difference[] = [];
  for (const [key, { name, operation }] of theirOperations) {
    if (!ourOperations.has(key)) differences.push(toExistenceDifference(name, null, "yes", operation));
  }
  for (const [key, { name, operation }] of ourOperations) {
    const counterpart = theirOperations.get(key);
    if (!counterpart) differences.push(toExistenceDifference(name, "yes", null, operation));
    else differences.push(...compareOperations(name, operation, counterpart.operation, ours, theirs));
  }
  return differences;
}

function toExistenceDifference(
  name: string,
  ours: string | null,
  theirs: string | null,
  operation: Fields,
): Difference {
  return {
    operation: name,
    where: "operation",
    what: "exists",
    ours,
    theirs,
    assumed: ours === null ? null : readText(operation, "x-assumed"),
  };
}

/** Paths that differ only in parameter names have the same key. */
function listOperations(document: Fields): Map<string, { name: string; operation: Fields }> {
  const operations = new Map<string, { name: string; operation: Fields }>();
  for (const [path, item] of Object.entries(readObject(document, "paths"))) {
    const relative = path.replace(/^\/api\/v1(?=\/)/, "").replace(/(?<=.)\/$/, "");
    if (describing.test(relative) || !isFields(item)) continue;
    for (const method of methods) {
      const operation = item[method];
      if (!isFields(operation)) continue;
      const shared = Array.isArray(item["parameters"]) ? item["parameters"] : [];
      const given = Array.isArray(operation["parameters"]) ? operation["parameters"] : [];
      const name = `${method.toUpperCase()} ${relative}`;
      operations.set(name.replace(/\{[^}]*\}/g, "{}"), {
        name,
        operation: { ...operation, parameters: [...shared, ...given] },
      });
    }
  }
  return operations;
}

function compareOperations(
  name: string,
  ours: Fields,
  theirs: Fields,
  our: Fields,
  their: Fields,
): Difference[] {
  const [ourFields, theirFields] = [collectFields(ours, our), collectFields(theirs, their)];
  const parts = new Set([...theirFields.keys()].map((where) => where.split(" ")[0]));
  const differences: Difference[] = [];
  for (const [where, field] of ourFields) {
    const counterpart = theirFields.get(where);
    const base = { operation: name, where, assumed: field.assumed };
    if (!counterpart) {
      // A field is missing only if `theirs` describes the object around it.
      const above = findParent(where);
      if (parts.has(where.split(" ")[0]) && (above === undefined || theirFields.has(above)))
        differences.push({ ...base, what: "exists", ours: "yes", theirs: null });
      continue;
    }
    for (const what of new Set([...field.constraints.keys(), ...counterpart.constraints.keys()])) {
      const [mine, yours] = [field.constraints.get(what) ?? null, counterpart.constraints.get(what) ?? null];
      if (mine !== yours) differences.push({ ...base, what, ours: mine, theirs: yours });
    }
  }
  for (const where of theirFields.keys()) {
    const above = findParent(where);
    if (!ourFields.has(where) && (above === undefined || ourFields.has(above)))
      differences.push({
        operation: name,
        where,
        what: "exists",
        ours: null,
        theirs: "yes",
        assumed: null,
      });
  }
  return differences;
}

function findParent(where: string): string | undefined {
  const cut = Math.max(where.lastIndexOf("."), where.lastIndexOf("[]"));
  return cut === -1 ? undefined : where.slice(0, cut);
}

interface FieldConstraints {
  constraints: Map<string, string>;
  assumed: string | null;
}

function collectFields(operation: Fields, document: Fields): Map<string, FieldConstraints> {
  const fields = new Map<string, FieldConstraints>();
  for (const parameter of Array.isArray(operation["parameters"]) ? operation["parameters"] : []) {
    const known = resolveReference(parameter, document);
    if (known["in"] !== "query") continue;
    collect(
      fields,
      `query ${readText(known, "name")}`,
      known["schema"],
      known["required"] === true,
      document,
    );
  }
  const body = jsonSchema(resolveReference(operation["requestBody"], document));
  if (body) collect(fields, "body", body, true, document);
  for (const [status, response] of Object.entries(readObject(operation, "responses"))) {
    const responseSchema = /^2/.test(status) ? jsonSchema(resolveReference(response, document)) : undefined;
    if (responseSchema) collect(fields, "response", responseSchema, undefined, document);
  }
  return fields;
}

function jsonSchema(holder: Fields): unknown {
  return readObject(readObject(holder, "content"), "application/json")["schema"];
}

function resolveReference(value: unknown, document: Fields): Fields {
  let current = isFields(value) ? value : {};
  for (let steps = 0; steps < 10; steps += 1) {
    const reference = readText(current, "$ref");
    if (!reference?.startsWith("#/")) return current;
    let target: unknown = document;
    for (const part of reference.slice(2).split("/")) {
      const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      target = isFields(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    current = isFields(target) ? target : {};
  }
  return {};
}

function flattenSchema(value: unknown, document: Fields): Fields {
  const schema = resolveReference(value, document);
  const parts = Array.isArray(schema["allOf"])
    ? schema["allOf"].map((part) => flattenSchema(part, document))
    : [];
  let merged: Fields = {};
  for (const part of [...parts, schema]) {
    const properties = { ...readObject(merged, "properties"), ...readObject(part, "properties") };
    const required = [merged["required"], part["required"]].flatMap((names) =>
      Array.isArray(names) ? names : [],
    );
    merged = { ...merged, ...part, properties, required };
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = Array.isArray(schema[keyword])
      ? schema[keyword].map((choice) => resolveReference(choice, document))
      : [];
    const [only, ...remaining] = choices.filter((choice) => choice["type"] !== "null");
    if (only && remaining.length === 0)
      return {
        ...merged,
        ...flattenSchema(only, document),
        nullable: choices.length > 1 || merged["nullable"],
      };
  }
  return merged;
}

function collect(
  fields: Map<string, FieldConstraints>,
  where: string,
  value: unknown,
  required: boolean | undefined,
  document: Fields,
  depth = 0,
): void {
  const schema = flattenSchema(value, document);
  const fieldConstraints = new Map<string, string>();
  if (required) fieldConstraints.set("required", "yes");
  for (const name of constraints) {
    const constraint = name === "type" ? typeText(schema) : (schema[name] ?? schema[`x-${name}`]);
    if (constraint !== undefined)
      fieldConstraints.set(
        name,
        Array.isArray(constraint) ? [...constraint].map(String).sort().join(", ") : String(constraint),
      );
  }
  fields.set(where, { constraints: fieldConstraints, assumed: readText(schema, "x-assumed") });
  if (depth >= deepest) return;
  const names = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const [name, property] of Object.entries(readObject(schema, "properties"))) {
    // In responses, don't compare whether a field is required.
    const needed = where.startsWith("response") ? undefined : names.includes(name);
    collect(
      fields,
      `${where}${/^(body|response)$/.test(where) ? " " : "."}${name}`,
      property,
      needed,
      document,
      depth + 1,
    );
  }
  if (isFields(schema["items"]))
    collect(fields, `${where}[]`, schema["items"], undefined, document, depth + 1);
}

function typeText(schema: Fields): string | undefined {
  const { type } = schema;
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]).map(String);
  if (schema["nullable"] === true && !types.includes("null")) types.push("null");
  return types.length === 0 ? undefined : types.sort().join(" or ");
}
