import type * as z from "zod";
import { suggestName } from "../../../base/suggestions.js";
import { toJsonSchema } from "../../../contract/json-schema.js";
import { usageError } from "../../errors/errors.js";

interface FileSchema {
  name: string;
  files: string;
  /** True for files in a configuration directory, which contains a copy of the schema. */
  isOfFolder?: boolean;
  load(): Promise<z.ZodType>;
}

const configuration = [
  ["assistants", "assistants/*.yaml"],
  ["prompts", "the front matter of prompts/*.md"],
  ["knowledge", "the front matter of knowledge/*/*.md"],
  ["forwardings", "forwardings/*.yaml"],
  ["glossary", "glossary/*.yaml"],
  ["pronunciation", "pronunciation/*.yaml"],
  ["calendars", "calendars/*.yaml"],
  ["tools", "tools/*.yaml"],
  ["groups", "groups/*.yaml"],
] as const;

/** In help order. */
export const fileSchemas: readonly FileSchema[] = [
  {
    name: "project",
    files: "voxctl.project.yaml",
    isOfFolder: true,
    load: async () => (await import("../../../features/config/index.js")).Project,
  },
  ...configuration.map(([name, files]) => ({
    name,
    files,
    isOfFolder: true,
    load: async () => (await import("../../../features/config/index.js")).resourceTypes[name].file,
  })),
  {
    name: "organizations",
    files: "an organization spec for `voxctl orgs provision`",
    load: async () => (await import("../../../features/provision/spec-document.js")).SpecDocument,
  },
  {
    name: "call-suite",
    files: "a test suite for `voxctl calls test`",
    load: async () => (await import("../../../features/suite/suite.js")).SuiteFile,
  },
  {
    name: "pin",
    files: ".voxctl.yaml, a directory's profile",
    load: async () => (await import("../../profiles/folder-pin.js")).Pin(),
  },
  {
    name: "seed",
    files: "emulator data for `voxctl emulator start --seed`",
    load: async () => (await import("../../../features/config/index.js")).SeedFile,
  },
  {
    name: "fault",
    files: "a fault for `voxctl emulator faults add`",
    load: async () => {
      const { faults } = await import("../../../contract/control/faults.js");
      return faults["faults.create"].body;
    },
  },
];

/** @throws usage error (2) with a suggestion */
export function findSchema(name: string): FileSchema {
  const match = fileSchemas.find((candidate) => candidate.name === name);
  if (match) return match;
  const names = fileSchemas.map((fileSchema) => fileSchema.name);
  throw usageError(`schema "${name}" not found`, {
    hint: `${suggestName(name, names)}available: ${names.join(", ")}`,
  });
}

/** Returns the JSON Schema as text, without conditions that only voxctl's parser can check. */
export async function formatSchema({ name, files, load }: FileSchema): Promise<string> {
  const schema = toJsonSchema(await load(), "input");
  const text = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `voxctl ${name}`,
    ...schema,
    description: files,
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}
