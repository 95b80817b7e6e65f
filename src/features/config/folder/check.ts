import { isFields } from "../../../base/fields.js";
import { type Access, refusalOf } from "../access.js";
import { canonical } from "../canonical.js";
import type { Problem } from "../errors.js";
import type { ResourceTypeName } from "../resource-types/resource-type.js";
import { foldedKey } from "./keys.js";
import type { ConfigObject } from "./objects.js";
import { unfilledSource } from "./unfilled.js";

interface CheckOptions {
  resourceTypes: readonly ResourceTypeName[];
  isWhole: boolean;
  isIgnored(key: string): boolean;
}

export function checkObjects(objects: readonly ConfigObject[], options: CheckOptions): Problem[] {
  return [
    ...sameKeys(objects),
    ...sameNames(objects),
    ...(options.isWhole ? objects.flatMap((object) => referenceProblems(object, objects, options)) : []),
  ];
}

function problemAt(object: ConfigObject, field: string, message: string): Problem {
  const { file, path } = object.locate(field);
  if (path === "body") return { file: file.path, field, message };
  return { file: file.path, line: file.yaml.lineOf(path), field, message };
}

/** Finds keys that differ only in case, because they are the same path in some file systems. */
function sameKeys(objects: readonly ConfigObject[]): Problem[] {
  const seen = new Map<string, ConfigObject>();
  return objects.flatMap((object) => {
    const { key, spec } = object;
    const existing = seen.get(foldedKey(key));
    seen.set(foldedKey(key), object);
    if (existing === undefined) return [];
    const where = existing.locate(existing.spec.nameField).file.path;
    return [problemAt(object, spec.nameField, `key ${key} conflicts with ${existing.key} in ${where}`)];
  });
}

/** Finds duplicate names of resources for which the service requires unique names. */
function sameNames(objects: readonly ConfigObject[]): Problem[] {
  const seen = new Map<string, string>();
  return objects.flatMap((object) => {
    const { spec, key } = object;
    if (!["groups", "calendars", "tools"].includes(spec.resource)) return [];
    const name = `${spec.resource} ${spec.fixed?.["type"] ?? ""} ${canonical("name", object.fields.get(spec.nameField))}`;
    const existingKey = seen.get(name);
    seen.set(name, key);
    return existingKey === undefined
      ? []
      : [problemAt(object, spec.nameField, `${existingKey} also has this name, which must be unique`)];
  });
}

function referenceProblems(
  object: ConfigObject,
  objects: readonly ConfigObject[],
  { resourceTypes, isIgnored }: CheckOptions,
): Problem[] {
  return object.spec.fields.flatMap((field) => {
    const { to, form, name } = field;
    const value = object.fields.get(name);
    if (to === undefined || value === undefined || value === null) return [];
    const given = form === "references" && Array.isArray(value) ? value : [value];
    return given.flatMap((reference: unknown, index) => {
      if (isFields(reference)) return [];
      const key = String(reference).normalize("NFC");
      const toProblem = (message: string) => {
        const problem = problemAt(object, name, message);
        return [form === "references" ? { ...problem, field: `${name}[${index}]` } : problem];
      };
      const referenced = objects.find((candidate) => candidate.key === key);
      if (referenced !== undefined) {
        const isExpectedType =
          referenced.resourceType.name === to &&
          referenced.isGroup === (referenced.resourceType.group !== undefined);
        return isExpectedType ? [] : toProblem(`invalid reference ${key}: expected a key of type ${to}`);
      }
      if (!resourceTypes.includes(to))
        return toProblem(
          `the project's kinds don't include ${to}; to refer to a resource outside the directory, use { live: NAME }`,
        );
      return toProblem(
        isIgnored(key)
          ? `${key} is ignored by the project file`
          : `${key} not found; to refer to a resource outside the directory, use { live: NAME }`,
      );
    });
  });
}

export function refusedSecrets(object: ConfigObject, access: Access): Problem[] {
  return [...object.secrets].flatMap(([field, source]) => {
    if (source === null || source.from === unfilledSource) return [];
    const refusal = refusalOf(source.from, access);
    return refusal === undefined
      ? []
      : [{ ...problemAt(object, `${field}.from`, refusal.message), refused: refusal.refused }];
  });
}

/**
 * Finds secrets that `pull` could not write. Such a secret doesn't block a plan if the service has the
 * secret.
 */
export function secretProblems(object: ConfigObject): Problem[] {
  return [...object.secrets].flatMap(([field, source]) =>
    source?.from === unfilledSource
      ? [
          problemAt(
            object,
            `${field}.from`,
            `${unfilledSource} is a placeholder: expected env:VARIABLE, file:PATH or keychain:NAME`,
          ),
        ]
      : [],
  );
}
