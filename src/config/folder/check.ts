/** Finds what is wrong with the things of a folder together: keys, names, references, secrets that are not filled in. */
import { type Access, refusalOf } from "../access.js";
import { canonical } from "../canonical.js";
import type { Problem } from "../errors.js";
import { isFields } from "../overlays.js";
import type { ResourceTypeName } from "../resource-types/resource-type.js";
import { foldedKey } from "./keys.js";
import type { ConfigObject } from "./objects.js";
import { unfilledSource } from "./unfilled.js";

interface CheckOptions {
  resourceTypes: readonly ResourceTypeName[];
  /** Every file could be read. */
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

/** F1: keys that differ only in case are one on some systems. */
function sameKeys(objects: readonly ConfigObject[]): Problem[] {
  const seen = new Map<string, ConfigObject>();
  return objects.flatMap((object) => {
    const { key, spec } = object;
    const existing = seen.get(foldedKey(key));
    seen.set(foldedKey(key), object);
    if (existing === undefined) return [];
    const where = existing.locate(existing.spec.nameField).file.path;
    return [problemAt(object, spec.nameField, `the key ${key} is also that of ${existing.key} in ${where}`)];
  });
}

/** Names that the service keeps unique. */
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
      : [
          problemAt(
            object,
            spec.nameField,
            `${existingKey} has this name, too, and the service takes it once`,
          ),
        ];
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
        return isExpectedType
          ? []
          : toProblem(`${key} is no ${to === "prompts" ? "prompt" : `thing of ${to}`} that can stand here`);
      }
      if (!resourceTypes.includes(to))
        return toProblem(
          `${to} is not among the project's kinds; { live: NAME } names a thing outside the folder`,
        );
      return toProblem(
        isIgnored(key)
          ? `${key} is ignored by the project file`
          : `there is no ${key}; { live: NAME } names a thing outside the folder`,
      );
    });
  });
}

/** S4a: secrets whose sources the user has not allowed. */
export function refusedSecrets(object: ConfigObject, access: Access): Problem[] {
  return [...object.secrets].flatMap(([field, source]) => {
    if (source === null || source.from === unfilledSource) return [];
    const refusal = refusalOf(source.from, access);
    return refusal === undefined
      ? []
      : [{ ...problemAt(object, `${field}.from`, refusal.message), refused: refusal.refused }];
  });
}

/** U8: a secret that pull could not write. It stands in no plan's way as long as the service has it. */
export function secretProblems(object: ConfigObject): Problem[] {
  return [...object.secrets].flatMap(([field, source]) =>
    source?.from === unfilledSource
      ? [
          problemAt(
            object,
            `${field}.from`,
            "is yet to be filled in: env:VARIABLE, file:PATH or keychain:NAME",
          ),
        ]
      : [],
  );
}
