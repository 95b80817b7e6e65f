/** A configuration folder as an organization that the rules look at: what its files say, and nothing of what is live. */
import { resolve } from "node:path";
import type { ConfigObject } from "../../../config/folder/objects.js";
import type { Found, Organization, Thing } from "../../../lint/index.js";
import { usageError } from "../../errors/errors.js";
import { localAccess } from "../../session/folder-access.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { withConfigErrors } from "../config/errors.js";

export interface LintedFolder {
  root: string;
  organization: Organization;
  /** The findings with the files to be edited, in place of commands. */
  placed(found: readonly Found[]): Found[];
}

/**
 * Reads a folder, and sends nothing.
 * @throws usage error (2) for a folder that can't be understood
 */
export async function readFolder(session: Session, path: string, input: Input): Promise<LintedFolder> {
  const target = input.text("target");
  const { declareChecked, openFolder, targetOf } = await import("../../../config/index.js");
  const { organizationOf } = await import("../../../lint/index.js");
  const root = resolve(session.io.cwd, path);
  let objects: ReadonlyMap<string, ConfigObject> = new Map();
  await withConfigErrors(async () => {
    const folder = await openFolder(root);
    const targets = Object.keys(folder.project.targets);
    const chosen = target ?? (targets.length === 1 ? targets[0] : undefined);
    if (chosen === undefined)
      throw usageError(`the folder has several targets: ${targets.join(", ")}`, {
        hint: "--target says whose files are looked at",
      });
    const access = await localAccess(session, input, targetOf(folder, chosen).profile, root);
    ({ objects } = declareChecked(folder, chosen, { env: session.io.env, access }));
  });
  const things = new Map<string, Thing[]>();
  for (const object of objects.values()) {
    const { resource } = object.spec;
    things.set(resource, [...(things.get(resource) ?? []), thingOf(object)]);
  }
  return {
    root,
    organization: organizationOf(session.clock.now(), things, { isWhole: false }),
    placed: (found) => found.map((one) => placed(one, objects)),
  };
}

/** With its key in place of an id, and fields as the API names them. */
function thingOf({ key, spec, group, fields }: ConfigObject): Thing {
  const thing: Record<string, unknown> = { id: key, ...spec.fixed };
  if (group !== undefined) thing["group_id"] = group;
  for (const { name, api, to } of spec.fields) {
    const value = fields.get(name);
    if (value !== undefined) put(thing, api.split("."), to === undefined ? value : referenced(value));
  }
  return thing;
}

/** A thing outside the folder is one that no key stands for. */
function referenced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referenced);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function put(thing: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    thing[first] = value;
    return;
  }
  const inner: Record<string, unknown> = { ...Object(thing[first]) };
  put(inner, rest, value);
  thing[first] = inner;
}

function placed(found: Found, objects: ReadonlyMap<string, ConfigObject>): Found {
  const object = objects.get(found.finding.id);
  if (object === undefined) return found;
  const { file, path } = object.placeOf(object.spec.nameField);
  const line = path === "body" ? 1 : file.yaml.lineOf(path);
  const place = { file: file.path, line };
  return { ...found, finding: { ...found.finding, ...place, help: `edit ${file.path}, line ${line}` } };
}
