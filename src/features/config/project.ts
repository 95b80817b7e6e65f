/** Schema of `voxctl.project.yaml`. */
import * as z from "zod";
import { resourceTypeNames } from "./resource-types/resource-type.js";

export const projectFile = "voxctl.project.yaml";

const Limit = z
  .union([z.int(), z.string()], "must be a number or a percentage like 10%")
  .refine((value) => /^\d+%?$/.test(String(value)), "must be a number or a percentage like 10%")
  .transform(String);

const word = z
  .string("must be text")
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    "must contain only letters, digits, hyphens, underscores and periods",
  );

const Variable = z.union([z.string(), z.number(), z.boolean()], "must be a single value").transform(String);

const Target = z.strictObject({
  /** Default: the current profile. A URL and key in environment variables take precedence. */
  profile: z.string().min(1).optional(),
  overlay: z.string().min(1).optional(),
  variables: z.record(z.string(), Variable).default({}),
  limits: z.strictObject({ max_delete: Limit.optional(), max_update: Limit.optional() }).default({}),
  requires_applied_to: z.string().optional(),
  /** Default: `locks/TARGET.jsonl`. */
  lock: z.string().min(1).optional(),
});
export type Target = z.output<typeof Target>;

export const Project = z
  .strictObject({
    version: z.literal(1, "must be 1"),
    project: z
      .string("must be text")
      .regex(/^[0-9a-f]{8,32}$/, "must be the ID that `voxctl config init` created"),
    kinds: z.array(
      z.enum(resourceTypeNames, `must be one of ${resourceTypeNames.join(", ")}`),
      "must be a list",
    ),
    targets: z.record(word, Target, "must contain at least one target"),
    /** Profile with the address of the store. The project file never contains the address itself. */
    store: z.strictObject({ profile: z.string().min(1) }).optional(),
    ignore: z.array(z.string()).default([]),
    moved: z.array(z.strictObject({ from: z.string().optional(), to: z.string() })).default([]),
  })
  .superRefine(({ targets }, context) => {
    for (const [name, { requires_applied_to: gate }] of Object.entries(targets)) {
      if (gate === undefined || gate === "none" || (gate in targets && gate !== name)) continue;
      context.addIssue({
        code: "custom",
        path: ["targets", name, "requires_applied_to"],
        message: `must be the name of another target: ${
          Object.keys(targets)
            .filter((candidate) => candidate !== name)
            .join(", ") || "the project has no other target"
        }`,
      });
    }
  });
export type Project = z.output<typeof Project>;

/** If `profile` is undefined, the target uses the current profile. */
export function projectText(project: string, target: string, profile: string | undefined): string {
  const typeNames = resourceTypeNames.filter((name) => name !== "groups");
  return `# yaml-language-server: $schema=.voxctl/schema/project.json
version: 1
project: "${project}"
kinds: [${typeNames.join(", ")}]
targets:
  ${target}:${profile === undefined ? " {}" : `\n    profile: ${JSON.stringify(profile)}`}
`;
}
