/**
 * Holds a deployment's description against ours, however it was written: OpenAPI 3.0 or 3.1, with references or
 * without.
 */

/** A difference between two descriptions of one operation. */
export interface Difference {
  /** `POST /contacts` */
  operation: string;
  /** `body emails[]`, `query limit`, `answer data.id`, or the operation itself. */
  where: string;
  /** The differing property: `maxLength`, `enum`, `exists`. */
  what: string;
  ours: string | null;
  theirs: string | null;
  /** The decision by which we say so, where the documents don't. */
  assumed: string | null;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const objectAt = (value: unknown, name: string): Json => {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
};
const textAt = (value: unknown, name: string): string | null => {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === "string" ? found : null;
};

const methods = ["get", "post", "put", "patch", "delete"];
/** Operations of the document itself, which need not describe how it is read. */
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

/** @returns undefined when theirs is no OpenAPI document */
export function compareDocuments(ours: unknown, theirs: unknown): Difference[] | undefined {
  if (
    !isObject(ours) ||
    !isObject(theirs) ||
    !isObject(theirs["paths"]) ||
    textAt(theirs, "openapi") === null
  )
    return undefined;
  const [own, other] = [operationsOf(ours), operationsOf(theirs)];
  const differences: Difference[] = [];
  for (const [key, { name, operation }] of other) {
    if (!own.has(key)) differences.push(existence(name, null, "there", operation));
  }
  for (const [key, { name, operation }] of own) {
    const counterpart = other.get(key);
    if (!counterpart) differences.push(existence(name, "there", null, operation));
    else differences.push(...compareOperations(name, operation, counterpart.operation, ours, theirs));
  }
  return differences;
}

function existence(name: string, ours: string | null, theirs: string | null, operation: Json): Difference {
  return {
    operation: name,
    where: "operation",
    what: "exists",
    ours,
    theirs,
    assumed: ours === null ? null : textAt(operation, "x-assumed"),
  };
}

/** By method and path, names of parameters aside. */
function operationsOf(document: Json): Map<string, { name: string; operation: Json }> {
  const found = new Map<string, { name: string; operation: Json }>();
  for (const [path, item] of Object.entries(objectAt(document, "paths"))) {
    const relative = path.replace(/^\/api\/v1(?=\/)/, "").replace(/(?<=.)\/$/, "");
    if (describing.test(relative) || !isObject(item)) continue;
    for (const method of methods) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      const shared = Array.isArray(item["parameters"]) ? item["parameters"] : [];
      const given = Array.isArray(operation["parameters"]) ? operation["parameters"] : [];
      const name = `${method.toUpperCase()} ${relative}`;
      found.set(name.replace(/\{[^}]*\}/g, "{}"), {
        name,
        operation: { ...operation, parameters: [...shared, ...given] },
      });
    }
  }
  return found;
}

function compareOperations(name: string, ours: Json, theirs: Json, our: Json, their: Json): Difference[] {
  const [own, other] = [fieldsOf(ours, our), fieldsOf(theirs, their)];
  const parts = new Set([...other.keys()].map((where) => where.split(" ")[0]));
  const differences: Difference[] = [];
  for (const [where, field] of own) {
    const counterpart = other.get(where);
    const base = { operation: name, where, assumed: field.assumed };
    if (!counterpart) {
      // A part that theirs doesn't describe at all says nothing; of a field that is missing, those below say no more.
      const above = parentOf(where);
      if (parts.has(where.split(" ")[0]) && (above === undefined || other.has(above)))
        differences.push({ ...base, what: "exists", ours: "there", theirs: null });
      continue;
    }
    for (const what of new Set([...field.says.keys(), ...counterpart.says.keys()])) {
      const [mine, yours] = [field.says.get(what) ?? null, counterpart.says.get(what) ?? null];
      if (mine !== yours) differences.push({ ...base, what, ours: mine, theirs: yours });
    }
  }
  for (const where of other.keys()) {
    const above = parentOf(where);
    if (!own.has(where) && (above === undefined || own.has(above)))
      differences.push({
        operation: name,
        where,
        what: "exists",
        ours: null,
        theirs: "there",
        assumed: null,
      });
  }
  return differences;
}

function parentOf(where: string): string | undefined {
  const cut = Math.max(where.lastIndexOf("."), where.lastIndexOf("[]"));
  return cut === -1 ? undefined : where.slice(0, cut);
}

interface Said {
  says: Map<string, string>;
  assumed: string | null;
}

/** Everything that an operation takes and answers, by its place. */
function fieldsOf(operation: Json, document: Json): Map<string, Said> {
  const fields = new Map<string, Said>();
  for (const parameter of Array.isArray(operation["parameters"]) ? operation["parameters"] : []) {
    const known = resolved(parameter, document);
    if (known["in"] !== "query") continue;
    collect(fields, `query ${textAt(known, "name")}`, known["schema"], known["required"] === true, document);
  }
  const body = jsonSchema(resolved(operation["requestBody"], document));
  if (body) collect(fields, "body", body, true, document);
  for (const [status, response] of Object.entries(objectAt(operation, "responses"))) {
    const answer = /^2/.test(status) ? jsonSchema(resolved(response, document)) : undefined;
    if (answer) collect(fields, "answer", answer, undefined, document);
  }
  return fields;
}

function jsonSchema(holder: Json): unknown {
  return objectAt(objectAt(holder, "content"), "application/json")["schema"];
}

function resolved(value: unknown, document: Json): Json {
  let current = isObject(value) ? value : {};
  for (let steps = 0; steps < 10; steps += 1) {
    const reference = textAt(current, "$ref");
    if (!reference?.startsWith("#/")) return current;
    let target: unknown = document;
    for (const part of reference.slice(2).split("/")) {
      const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    }
    current = isObject(target) ? target : {};
  }
  return {};
}

/** One schema of what may be written as references, as the parts of a whole, or as itself or null. */
function flat(value: unknown, document: Json): Json {
  const schema = resolved(value, document);
  const parts = Array.isArray(schema["allOf"]) ? schema["allOf"].map((part) => flat(part, document)) : [];
  let merged: Json = {};
  for (const part of [...parts, schema]) {
    const properties = { ...objectAt(merged, "properties"), ...objectAt(part, "properties") };
    const required = [merged["required"], part["required"]].flatMap((names) =>
      Array.isArray(names) ? names : [],
    );
    merged = { ...merged, ...part, properties, required };
  }
  for (const kind of ["anyOf", "oneOf"]) {
    const choices = Array.isArray(schema[kind]) ? schema[kind].map((one) => resolved(one, document)) : [];
    const [only, ...others] = choices.filter((one) => one["type"] !== "null");
    if (only && others.length === 0)
      return { ...merged, ...flat(only, document), nullable: choices.length > 1 || merged["nullable"] };
  }
  return merged;
}

function collect(
  fields: Map<string, Said>,
  where: string,
  value: unknown,
  required: boolean | undefined,
  document: Json,
  depth = 0,
): void {
  const schema = flat(value, document);
  const says = new Map<string, string>();
  if (required) says.set("required", "yes");
  for (const name of constraints) {
    const said = name === "type" ? typeText(schema) : schema[name];
    if (said !== undefined)
      says.set(name, Array.isArray(said) ? [...said].map(String).sort().join(", ") : String(said));
  }
  fields.set(where, { says, assumed: textAt(schema, "x-assumed") });
  if (depth >= deepest) return;
  const names = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const [name, property] of Object.entries(objectAt(schema, "properties"))) {
    // Whether an answer always has a field is no matter of ours.
    const needed = where.startsWith("answer") ? undefined : names.includes(name);
    collect(
      fields,
      `${where}${/^(body|answer)$/.test(where) ? " " : "."}${name}`,
      property,
      needed,
      document,
      depth + 1,
    );
  }
  if (isObject(schema["items"]))
    collect(fields, `${where}[]`, schema["items"], undefined, document, depth + 1);
}

function typeText(schema: Json): string | undefined {
  const { type } = schema;
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]).map(String);
  if (schema["nullable"] === true && !types.includes("null")) types.push("null");
  return types.length === 0 ? undefined : types.sort().join(" or ");
}
