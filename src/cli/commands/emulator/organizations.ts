import { features } from "../../../contract/control/choices.js";
import { usageError } from "../../errors/errors.js";
import type { View } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import { parseCount } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import { controlCommand, idOf, withoutUndefined } from "./control.js";

const view: View = {
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "TYPE", value: "type" },
    { header: "STATUS", value: "status", as: "status" },
    { header: "NUMBERS LEFT", value: "number_pool", align: "right" },
    { header: "FEATURES", value: ({ features }) => (Array.isArray(features) ? features.join(" ") : "") },
  ],
  empty: "no organizations",
};

const feature: Flag = {
  name: "feature",
  value: "name",
  description: "one that it has, in place of those it had",
  choices: features,
  repeatable: true,
  strict: true,
};

function featuresOf(input: Input): string[] | undefined {
  if (input.on("no-features")) return [];
  const features = input.texts("feature");
  return features.length > 0 ? features : undefined;
}

function change(input: Input): Record<string, unknown> {
  const numbers = input.text("number-pool");
  const body = withoutUndefined({
    features: featuresOf(input),
    status: input.text("status"),
    number_pool:
      numbers === undefined ? undefined : numbers === "0" ? 0 : parseCount(numbers, "--number-pool"),
  });
  if (Object.keys(body).length === 0) {
    throw usageError("give --feature, --no-features, --status or --number-pool");
  }
  return body;
}

export const organizationCommands: readonly Command[] = [
  controlCommand({
    name: "list",
    call: "organizations.list",
    examples: [{ command: "voxctl emulator organizations list" }],
    view,
  }),
  controlCommand({
    name: "create",
    call: "organizations.create",
    flags: [{ name: "name", value: "name", description: "what to call it" }, feature],
    examples: [{ command: "voxctl emulator organizations create --name Stranger" }],
    input: (input) => ({ body: withoutUndefined({ name: input.text("name"), features: featuresOf(input) }) }),
  }),
  controlCommand({
    name: "update",
    call: "organizations.update",
    arguments: [{ name: "organization", description: "its name or id" }],
    flags: [
      feature,
      { name: "no-features", description: "without any" },
      {
        name: "status",
        value: "status",
        description: "blocked: it answers 402 to everything",
        choices: ["active", "blocked"],
        strict: true,
      },
      { name: "number-pool", value: "n", description: "how many more phone numbers it can be given" },
    ],
    examples: [
      { command: 'voxctl emulator organizations update "Zahnarztpraxis Dr. Sommer" --status blocked' },
    ],
    input: async (input, control) => {
      const body = change(input);
      return { path: { id: await idOf(control, "organizations.list", input.arguments[0] ?? "") }, body };
    },
  }),
];
