/**
 * Reads a configuration directory as an organization, so that lint rules can check the directory without
 * requests to the service.
 */
import { resolve } from "node:path";
import { usageError } from "../../../cli/errors/errors.js";
import { openLocalAccess } from "../../../cli/session/folder-access.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { withConfigErrors } from "../../config/commands/errors.js";
import type { ConfigObject } from "../../config/folder/objects.js";
import type { FindingWithRecord, Organization, ResourceRecord } from "../index.js";

export interface LintedFolder {
  root: string;
  organization: Organization;
  /** Replaces the command in each finding with the file and line to edit. */
  addLocations(results: readonly FindingWithRecord[]): FindingWithRecord[];
}

/** @throws usage error (2) if the directory is invalid */
export async function readFolder(session: Session, path: string, input: Input): Promise<LintedFolder> {
  const target = input.text("target");
  const { declareChecked, openFolder, targetOf } = await import("../../config/index.js");
  const { createOrganization } = await import("../index.js");
  const root = resolve(session.io.cwd, path);
  let objects: ReadonlyMap<string, ConfigObject> = new Map();
  await withConfigErrors(async () => {
    const folder = await openFolder(root);
    const targets = Object.keys(folder.project.targets);
    const chosen = target ?? (targets.length === 1 ? targets[0] : undefined);
    if (chosen === undefined)
      throw usageError(`the directory has several targets: ${targets.join(", ")}`, {
        hint: "select one with --target",
      });
    const access = await openLocalAccess(session, input, targetOf(folder, chosen).profile, root);
    ({ objects } = declareChecked(folder, chosen, { env: session.io.env, access }));
  });
  const records = new Map<string, ResourceRecord[]>();
  for (const object of objects.values()) {
    const { resource } = object.spec;
    records.set(resource, [...(records.get(resource) ?? []), toRecord(object)]);
  }
  return {
    root,
    organization: createOrganization(session.clock.now(), records, { isWhole: false }),
    addLocations: (results) => results.map((result) => addLocation(result, objects)),
  };
}

/** The object's key becomes the ID. */
function toRecord({ key, spec, group, fields }: ConfigObject): ResourceRecord {
  const record: Record<string, unknown> = { id: key, ...spec.fixed };
  if (group !== undefined) record["group_id"] = group;
  for (const { name, api, to } of spec.fields) {
    const value = fields.get(name);
    if (value !== undefined) setAtPath(record, api.split("."), to === undefined ? value : toReference(value));
  }
  return record;
}

/** Converts a reference to text: a key, or JSON for a resource outside the directory (`{ live: NAME }`). */
function toReference(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toReference);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function setAtPath(
  record: Record<string, unknown>,
  [first = "", ...tail]: readonly string[],
  value: unknown,
): void {
  if (tail.length === 0) {
    record[first] = value;
    return;
  }
  const inner: Record<string, unknown> = { ...Object(record[first]) };
  setAtPath(inner, tail, value);
  record[first] = inner;
}

function addLocation(
  result: FindingWithRecord,
  objects: ReadonlyMap<string, ConfigObject>,
): FindingWithRecord {
  const object = objects.get(result.finding.id);
  if (object === undefined) return result;
  const { file, path } = object.locate(object.spec.nameField);
  const line = path === "body" ? 1 : file.yaml.lineOf(path);
  const location = { file: file.path, line };
  return { ...result, finding: { ...result.finding, ...location, help: `edit ${file.path}, line ${line}` } };
}
