/** A seed file contains the resources of a configuration directory, plus contacts, calls and API keys. */

import * as z from "zod";
import { toIssuePath } from "../../../base/describe-issue.js";
import { isFields } from "../../../base/fields.js";
import { findLostLetters, lostLettersReason } from "../../../base/utf8.js";
import { operations } from "../../../contract/contract.js";
import { keyTypes } from "../../../contract/control/choices.js";
import { control } from "../../../contract/control/control.js";
import { assertNoProblems, ConfigError, type Problem } from "../errors.js";
import { checkObjects } from "../folder/check.js";
import { objectsOf } from "../folder/objects.js";
import type { Declared, Folder, VariableSources } from "../folder/open.js";
import type { SourceFile } from "../folder/source.js";
import { parseYamlText, type YamlPath, type YamlText } from "../folder/yaml.js";
import { resourceTypes } from "../resource-types/index.js";
import { type ResourceType, resourceTypeNames } from "../resource-types/resource-type.js";

/** Name of a seed file's only target, because a seed file has no project file. */
const seedTarget = "seed";

const word = z.string("must be text").min(1, "must not be empty");

function without(schema: unknown, ...names: string[]): z.ZodObject {
  if (!(schema instanceof z.ZodObject)) throw new TypeError("the contract's body is not an object");
  return z.strictObject(
    Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !names.includes(name))),
  );
}

const Contact = without(operations["contacts.create"]?.body, "group_id").extend({
  /**
   * Key such as groups/kunden, or exact name of a contact group. Default: the contact group of every new
   * organization.
   */
  group: word.optional(),
});

const Call = without(control["calls.create"].body, "assistant_id").extend({
  assistant: word,
  /** Minutes since the call, by the emulator's clock. Replaces created_at. */
  minutes_ago: z.number().min(0).optional(),
});

const Key = without(control["keys.create"].body, "organization_id", "distributor_id").extend({
  name: word,
  kind: z.enum(keyTypes, `must be one of ${keyTypes.join(", ")}`).default("public"),
});

const settings = control["organizations.update"].body.shape;

const organizationFields = {
  features: settings.features,
  status: settings.status,
  number_pool: settings.number_pool,
  contacts: z.array(Contact, "must be a list").optional(),
  calls: z.array(Call, "must be a list").optional(),
  keys: z.array(Key, "must be a list").optional(),
};

const items = z.record(word, z.unknown());
const anyObjects = z.record(word, items, "must be a mapping of keys to resources");

/** Schemas that accept any fields in resources, because variables are not expanded yet. */
const looseResources = Object.fromEntries(resourceTypeNames.map((name) => [name, anyObjects.optional()]));

/** Schemas for editors, which check the fields of every resource type. */
const strictResources = Object.fromEntries(
  resourceTypeNames.map((name) => [
    name,
    z.record(word, buildResourceSchema(resourceTypes[name])).optional(),
  ]),
);

function buildResourceSchema({ file, groupFile }: ResourceType): z.ZodType {
  if (groupFile === undefined) return file;
  const group = groupFile instanceof z.ZodObject ? groupFile.shape : {};
  return z.strictObject({ ...group, items: z.record(word, file).optional() });
}

function seedSchema(resourceSchemas: Readonly<Record<string, z.ZodType>>) {
  const organization = z.strictObject({ ...organizationFields, ...resourceSchemas });
  return organization.extend({
    organizations: z.array(organization.extend({ name: word }), "must be a list").optional(),
  });
}

/** Schema that `voxctl schema seed` prints. */
export const SeedFile = seedSchema(strictResources);
const LooseSeedFile = seedSchema(looseResources);

export type SeedContact = Readonly<Record<string, unknown>> & { group?: string | undefined };
export type SeedCall = Readonly<Record<string, unknown>> & {
  assistant: string;
  minutes_ago?: number | undefined;
};
type SeedKey = Readonly<Record<string, unknown>> & { name: string };

export interface SeedOrganization {
  /** Undefined for the organization that every new emulator has. */
  name: string | undefined;
  settings: Readonly<Record<string, unknown>>;
  folder: Pick<Folder, "project" | "isIgnored">;
  declared: Declared;
  contacts: readonly SeedContact[];
  calls: readonly SeedCall[];
  keys: readonly SeedKey[];
  locate(path: YamlPath): string;
}

/**
 * @param file name for messages
 * @throws ConfigError with all problems
 */
export function readSeedFile(
  text: string,
  file: string,
  variableSources: VariableSources,
): SeedOrganization[] {
  const yaml = parseYamlText(text.replaceAll("\r\n", "\n"), file);
  if ("message" in yaml) assertNoProblems([yaml]);
  if (!("value" in yaml)) return [];
  if (isFields(yaml.value) && "voxctl_snapshot" in yaml.value)
    throw new ConfigError(
      "config_invalid",
      `${file} is a snapshot, not a seed`,
      "to use it, run `voxctl emulator snapshots import NAME FILE` and `voxctl emulator snapshots restore NAME`",
    );
  const lost = findLostLetters(yaml.value);
  if (lost !== undefined)
    assertNoProblems([
      { file, line: yaml.lineOf([...lost]), field: lost.join("."), message: lostLettersReason },
    ]);
  const parsed = LooseSeedFile.safeParse(yaml.value ?? {});
  if (!parsed.success) {
    assertNoProblems(parsed.error.issues.flatMap((issue) => issueProblems(issue, file, yaml)));
    throw new ConfigError("config_invalid", `invalid seed ${file}`);
  }
  const { organizations = [], ...first } = parsed.data;
  const read = [
    organizationOf({ ...first }, undefined, [], file, yaml, variableSources),
    ...organizations.map(({ name, ...fields }, index) =>
      organizationOf({ ...fields }, name, ["organizations", index], file, yaml, variableSources),
    ),
  ];
  assertNoProblems(
    read.flatMap(({ problems }) => problems),
    variableSources.access?.advice,
  );
  return read.map(({ organization }) => organization);
}

function issueProblems(issue: z.core.$ZodIssue, file: string, yaml: YamlText): Problem[] {
  const path = toIssuePath(issue.path);
  const names = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
  return names.map((name) => {
    const inner = name === undefined ? path : [...path, name];
    const message = name === undefined ? issue.message : "unknown seed field";
    return { file, line: yaml.lineOf(inner), field: inner.join("."), message };
  });
}

function organizationOf(
  value: Readonly<Record<string, unknown>>,
  name: string | undefined,
  at: YamlPath,
  file: string,
  yaml: YamlText,
  variableSources: VariableSources,
): { organization: SeedOrganization; problems: Problem[] } {
  const sources = resourceTypeNames.flatMap((typeName) =>
    sourcesOf(resourceTypes[typeName], value[typeName], [...at, typeName], file, yaml),
  );
  const read = objectsOf(sources, [], { var: {}, ...variableSources });
  const isIgnored = () => false;
  const problems = [
    ...read.problems,
    ...checkObjects(read.objects, {
      resourceTypes: resourceTypeNames,
      isWhole: read.problems.length === 0,
      isIgnored,
    }),
  ];
  const objects = new Map(read.objects.map((object) => [object.key, object]));
  const { features, status, number_pool } = value;
  const calls = listIn<SeedCall>(value["calls"]);
  for (const [index, { assistant }] of calls.entries())
    if (objects.get(assistant)?.resourceType.name !== "assistants") {
      const path = [...at, "calls", index, "assistant"];
      const message = `${assistant} not found: expected the key of an assistant in this file, such as assistants/empfang`;
      problems.push({ file, line: yaml.lineOf(path), field: path.join("."), message });
    }
  return {
    problems,
    organization: {
      name,
      settings: { features, status, number_pool },
      folder: {
        project: {
          version: 1,
          project: "00000000",
          kinds: [...resourceTypeNames],
          targets: {},
          ignore: [],
          moved: [],
        },
        isIgnored,
      },
      declared: { target: seedTarget, settings: { variables: {}, limits: {} }, objects, sources },
      contacts: listIn<SeedContact>(value["contacts"]),
      calls,
      keys: listIn<SeedKey>(value["keys"]),
      locate: (path) => `${file}, line ${yaml.lineOf([...at, ...path])}`,
    },
  };
}

/** The schema has already checked the elements. */
function listIn<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}

function sourcesOf(
  resourceType: ResourceType,
  value: unknown,
  at: YamlPath,
  file: string,
  yaml: YamlText,
): SourceFile[] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, entry]): SourceFile[] => {
    const key = `${resourceType.name}/${name}`.normalize("NFC");
    const common = { resourceType, file, yaml };
    if (resourceType.layout !== "folder" || !isFields(entry))
      return [sourceOf({ ...common, key, value: entry, at: [...at, name], isGroupFile: false })];
    const { items: texts, ...group } = entry;
    return [
      sourceOf({ ...common, key, value: group, at: [...at, name], isGroupFile: true }),
      ...Object.entries(isFields(texts) ? texts : {}).map(([item, inner]) =>
        sourceOf({
          ...common,
          key: `${key}/${item.normalize("NFC")}`,
          value: inner,
          at: [...at, name, "items", item],
          isGroupFile: false,
        }),
      ),
    ];
  });
}

interface SourceInput {
  resourceType: ResourceType;
  key: string;
  value: unknown;
  at: YamlPath;
  isGroupFile: boolean;
  file: string;
  yaml: YamlText;
}

/** Returns a part of the seed as if it were a file, with the seed's line numbers. */
function sourceOf({ resourceType, key, value, at, isGroupFile, file, yaml }: SourceInput): SourceFile {
  const isText = resourceType.body !== undefined && !isGroupFile;
  return {
    path: file,
    text: "",
    hasCrlf: false,
    key,
    resourceType,
    isGroupFile,
    yaml: {
      text: "",
      value: isText && isFields(value) ? { text: "", ...value } : value,
      lineOf: (path) => yaml.lineOf([...at, ...path]),
      rangeOf: () => undefined,
      endOfMap: () => undefined,
      entryRange: () => undefined,
    },
    yamlStart: 0,
    markdown: isText ? { matter: "", matterStart: 0, bodyStart: 0, body: "" } : undefined,
  };
}
