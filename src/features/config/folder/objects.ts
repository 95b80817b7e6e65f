import type * as z from "zod";
import { toIssuePath } from "../../../base/describe-issue.js";
import { isFields } from "../../../base/fields.js";
import { isKeyText } from "../access.js";
import { canonical, hashOf } from "../canonical.js";
import type { Problem } from "../errors.js";
import { isPatched, merged } from "../overlays.js";
import type { FieldSpec, ResourceSpec, ResourceType } from "../resource-types/resource-type.js";
import {
  environmentSources,
  filledText,
  filledValue,
  hasVariables,
  sealedText,
  type Variables,
} from "../variables.js";
import { textOfBody } from "./markdown.js";
import type { SourceFile } from "./source.js";
import type { YamlPath } from "./yaml.js";

export interface SecretSource {
  from: string;
  version?: number | undefined;
}

interface FieldLocation {
  file: SourceFile;
  /** Path in the YAML; `body` is the text of a Markdown file. */
  path: YamlPath | "body";
  variables: string | undefined;
}

export interface ConfigObject {
  key: string;
  resourceType: ResourceType;
  spec: ResourceSpec;
  isGroup: boolean;
  group: string | undefined;
  /** References are keys, not IDs. */
  fields: ReadonlyMap<string, unknown>;
  /** Only the fields that use environment values; `$secret` references replace these values. */
  sealed: ReadonlyMap<string, unknown>;
  /** Source of each secret; null clears the secret. */
  secrets: ReadonlyMap<string, SecretSource | null>;
  /**
   * Hash of the base file, without overlays and variables, to compare targets. Empty if only an overlay
   * exists.
   */
  source: string;
  locate(field: string): FieldLocation;
}

interface Pair {
  base: SourceFile | undefined;
  overlay: SourceFile | undefined;
}

export function objectsOf(
  base: readonly SourceFile[],
  overlay: readonly SourceFile[],
  variables: Variables,
): { objects: ConfigObject[]; problems: Problem[] } {
  const pairs = new Map<string, Pair>();
  const slot = ({ key, isGroupFile }: SourceFile) => `${isGroupFile ? "group " : ""}${key}`;
  for (const file of base) pairs.set(slot(file), { base: file, overlay: undefined });
  for (const file of overlay) pairs.set(slot(file), { base: pairs.get(slot(file))?.base, overlay: file });
  const objects: ConfigObject[] = [];
  const problems: Problem[] = [];
  for (const pair of pairs.values()) {
    const read = readPair(pair, variables);
    problems.push(...read.problems);
    objects.push(...read.objects);
  }
  addFolderGroups(objects, [...base, ...overlay]);
  return { objects, problems };
}

function readPair(pair: Pair, variables: Variables): { objects: ConfigObject[]; problems: Problem[] } {
  const file = pair.overlay ?? pair.base;
  if (file === undefined) return { objects: [], problems: [] };
  const { resourceType, key, isGroupFile } = file;
  const problems: Problem[] = [];
  const patch = pair.overlay?.yaml.value ?? {};
  const raw = pair.base === undefined ? patch : merged(pair.base.yaml.value ?? {}, patch);
  const findFile = (path: YamlPath) =>
    pair.overlay !== undefined && (pair.base === undefined || isPatched(patch, path))
      ? pair.overlay
      : (pair.base ?? file);
  const addProblem = (path: YamlPath, message: string, refused?: Problem["refused"]) => {
    const at = findFile(path);
    const location = { file: at.path, line: at.yaml.lineOf(path), field: path.join(".") };
    problems.push({ ...location, message, ...(refused === undefined ? {} : { refused }) });
  };
  const value = filledValue(raw, (text, path) =>
    filledText(text, variables, (message, refused) => addProblem(path, message, refused)),
  );
  const sealed = filledValue(raw, (text) => sealedText(text, variables));
  if (isFields(value) && value["exclude"] === true) return { objects: [], problems };
  const schema: z.ZodType | undefined = isGroupFile ? resourceType.groupFile : resourceType.file;
  const parsed = schema?.safeParse(value);
  if (parsed?.success === false)
    for (const issue of issuesOf(parsed.error, value)) addProblem(issue.path, issue.message);
  if (parsed?.success !== true || problems.length > 0 || !isFields(value)) return { objects: [], problems };

  const locate = (path: YamlPath): FieldLocation => {
    const text = valueAt(raw, path);
    return { file: findFile(path), path, variables: findVariable(text) };
  };
  const baseValue = pair.base?.yaml.value;
  const common = {
    resourceType,
    locateAt: locate,
    source: pair.base === undefined ? "" : sourceHash(baseValue, pair.base.markdown?.body),
  };
  if (resourceType.layout === "items")
    return { objects: itemsOf(key, value, sealed, baseValue, common), problems };
  const spec = isGroupFile ? resourceType.group : resourceType.item;
  if (spec === undefined) return { objects: [], problems };
  const group =
    resourceType.layout === "folder" && !isGroupFile ? key.slice(0, key.lastIndexOf("/")) : undefined;
  const body = bodyOf(pair, value, isFields(sealed) ? sealed : {}, variables, problems);
  const object = objectOf({ key, spec, isGroup: isGroupFile, group, value, sealed, path: [], ...common });
  if (resourceType.body === undefined || isGroupFile || body === undefined)
    return { objects: [object], problems };
  const fields = new Map([...object.fields, [resourceType.body, body.text]]);
  const locateWithBody = (field: string) =>
    field === resourceType.body ? body.location : object.locate(field);
  const isSealed = environmentSources(body.sealed).length > 0;
  const withBody = new Map([
    ...object.sealed,
    ...(isSealed ? [[resourceType.body, body.sealed] as const] : []),
  ]);
  return { objects: [{ ...object, fields, sealed: withBody, locate: locateWithBody }], problems };
}

function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>(
    (current, part) =>
      Array.isArray(current) ? current[Number(part)] : isFields(current) ? current[String(part)] : undefined,
    value,
  );
}

function sourceHash(value: unknown, body: string | undefined): string {
  return hashOf(canonical("exact", [value, body ?? null]));
}

function findVariable(value: unknown): string | undefined {
  if (typeof value === "string") return hasVariables(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const variable = findVariable(inner);
    if (variable !== undefined) return variable;
  }
  return undefined;
}

function bodyOf(
  { base, overlay }: Pair,
  value: Readonly<Record<string, unknown>>,
  sealed: Readonly<Record<string, unknown>>,
  variables: Variables,
  problems: Problem[],
): { text: string; sealed: unknown; location: FieldLocation } | undefined {
  const file = overlay?.markdown !== undefined && overlay.markdown.body !== "" ? overlay : (base ?? overlay);
  if (file?.markdown === undefined) return undefined;
  const { body, bodyStart } = file.markdown;
  const line = file.text.slice(0, bodyStart).split("\n").length;
  if (typeof value["text"] === "string") {
    if (body !== "" && file.yaml.value !== null && isFields(file.yaml.value) && "text" in file.yaml.value)
      problems.push({
        file: file.path,
        line,
        message: "the text is in both the front matter and the body; remove one of them",
      });
    const holder =
      overlay !== undefined && isFields(overlay.yaml.value) && "text" in overlay.yaml.value ? overlay : file;
    const location = { file: holder, path: ["text"], variables: undefined };
    return { text: value["text"], sealed: sealed["text"], location };
  }
  const text = textOfBody(body, value["newline"]);
  const addProblem = (message: string, refused?: Problem["refused"]) =>
    problems.push({
      file: file.path,
      line,
      field: "text",
      message,
      ...(refused === undefined ? {} : { refused }),
    });
  if (value["variables"] !== true) {
    if (variables.access?.holdsKey(text) === true) addProblem(isKeyText, {});
    return { text, sealed: text, location: { file, path: "body", variables: undefined } };
  }
  const filled = filledText(text, variables, addProblem);
  const sealedBody = sealedText(text, variables);
  return {
    text: filled,
    sealed: sealedBody,
    location: { file, path: "body", variables: hasVariables(text) ? text : undefined },
  };
}

interface ObjectParts {
  key: string;
  resourceType: ResourceType;
  spec: ResourceSpec;
  isGroup: boolean;
  group: string | undefined;
  value: Readonly<Record<string, unknown>>;
  sealed: unknown;
  path: YamlPath;
  source: string;
  locateAt(path: YamlPath): FieldLocation;
}

function objectOf({ value, sealed: whole, path, locateAt, ...parts }: ObjectParts): ConfigObject {
  const { spec } = parts;
  const fields = new Map<string, unknown>();
  const sealed = new Map<string, unknown>();
  const seal = (field: string, sealedField: unknown) => {
    if (environmentSources(sealedField).length > 0) sealed.set(field, sealedField);
  };
  const sealedFields = isFields(whole) ? whole : {};
  const secrets = new Map<string, SecretSource | null>();
  for (const field of spec.fields) {
    const fieldValue = findNamed(value, field);
    if (fieldValue === undefined) continue;
    if (field.form === "secret") secrets.set(field.name, secretOf(fieldValue));
    else {
      fields.set(field.name, fieldValue);
      seal(field.name, findNamed(sealedFields, field));
    }
    if (field.isHeaders !== true || !isFields(fieldValue)) continue;
    for (const [header, inner] of Object.entries(fieldValue))
      if (isFields(inner)) secrets.set(`${field.name}.${header}`, secretOf(inner));
  }
  const extra = value["extra"];
  const sealedExtra = sealedFields["extra"];
  for (const [name, inner] of Object.entries(isFields(extra) ? extra : {})) {
    fields.set(`extra.${name}`, inner);
    seal(`extra.${name}`, isFields(sealedExtra) ? sealedExtra[name] : undefined);
  }
  return { ...parts, fields, sealed, secrets, locate: (field) => locateAt([...path, ...field.split(".")]) };
}

function findNamed(value: Readonly<Record<string, unknown>>, { name, isWhole }: FieldSpec): unknown {
  let current: unknown = value;
  for (const part of name.split(".")) {
    if (!isFields(current) || !Object.hasOwn(current, part)) return undefined;
    current = current[part];
  }
  // The members of an object such as `pre_call_webhook` are separate fields. The object itself is a field
  // only if it is null.
  return isWhole && current !== null ? undefined : current;
}

function secretOf(value: unknown): SecretSource | null {
  if (!isFields(value) || typeof value["from"] !== "string") return null;
  const { from, version } = value;
  return { from: String(from), version: typeof version === "number" ? version : undefined };
}

function itemsOf(
  key: string,
  value: Readonly<Record<string, unknown>>,
  sealed: unknown,
  baseValue: unknown,
  { resourceType, locateAt, source }: Pick<ObjectParts, "resourceType" | "locateAt" | "source">,
): ConfigObject[] {
  const { group: groupSpec, item: itemSpec, itemKey = "" } = resourceType;
  if (groupSpec === undefined) return [];
  const baseItems = isFields(baseValue) && Array.isArray(baseValue["items"]) ? baseValue["items"] : [];
  const groupSource =
    source === "" ? "" : sourceHash(isFields(baseValue) ? baseValue["group"] : undefined, undefined);
  const group = objectOf({
    key,
    resourceType,
    spec: groupSpec,
    isGroup: true,
    group: undefined,
    value,
    sealed,
    path: [],
    source: groupSource,
    locateAt,
  });
  const items = Array.isArray(value["items"]) ? value["items"] : [];
  const sealedItems = isFields(sealed) && Array.isArray(sealed["items"]) ? sealed["items"] : [];
  return [
    group,
    ...items.filter(isFields).map((item, index) => {
      const name = String(item[itemKey]).normalize("NFC").trim();
      const own = baseItems.find(
        (baseItem: unknown) =>
          isFields(baseItem) && String(baseItem[itemKey]).normalize("NFC").trim() === name,
      );
      return objectOf({
        key: `${key}#${name}`,
        resourceType,
        spec: itemSpec,
        isGroup: false,
        group: key,
        value: item,
        sealed: sealedItems[index],
        path: ["items", index],
        source: source === "" || own === undefined ? "" : sourceHash(own, undefined),
        locateAt,
      });
    }),
  ];
}

/** Adds a group for each directory of items without `_group.yaml`. */
function addFolderGroups(objects: ConfigObject[], files: readonly SourceFile[]): void {
  for (const object of [...objects]) {
    const { resourceType, group: key } = object;
    if (resourceType.layout !== "folder" || key === undefined || resourceType.group === undefined) continue;
    const own = objects.find((candidate) => candidate.key === key && candidate.isGroup);
    const folder = key.slice(key.lastIndexOf("/") + 1);
    if (own !== undefined) {
      if (own.fields.has("name")) continue;
      objects.splice(objects.indexOf(own), 1, { ...own, fields: new Map([...own.fields, ["name", folder]]) });
      continue;
    }
    const file =
      files.find((candidate) => candidate.key.startsWith(`${key}/`)) ?? object.locate("title").file;
    objects.push({
      key,
      resourceType,
      spec: resourceType.group,
      isGroup: true,
      group: undefined,
      fields: new Map([["name", folder]]),
      sealed: new Map(),
      secrets: new Map(),
      source: hashOf(folder),
      locate: () => ({ file, path: [], variables: undefined }),
    });
  }
}

interface Issue {
  path: (string | number)[];
  message: string;
}

/** Splits a schema error, so that each unknown member has its own problem. */
function issuesOf(error: z.ZodError, value: unknown): Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    const path = toIssuePath(issue.path);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((name) => ({
        path: [...path, name],
        message: "unknown field; to send it anyway, move it to extra:",
      }));
    if (issue.code === "invalid_type" && valueAt(value, path) === undefined)
      return [{ path, message: "is missing" }];
    if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input"))
      return [{ path, message: "invalid value" }];
    return [{ path, message: issue.message }];
  });
}
