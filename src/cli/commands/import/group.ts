import { ClientError } from "../../../client/errors.js";
import type { Client } from "../../../client/types.js";
import { notFoundError, usageError } from "../../errors.js";
import type { Nearest } from "../../nearest.js";
import { isFields } from "../../output/fields.js";
import { groupOf } from "../../presentation/groups.js";
import { textIn } from "../../presentation/presentation.js";
import { findByName, isId } from "../../references.js";

type GroupType = Parameters<typeof groupOf>[0];

export interface TargetGroup {
  id: string;
  name: string;
}

/**
 * The group that `--group` names, by name or id; undefined where no group has the name.
 * `nearest` learns the names of the others.
 * @throws usage error (2) for a group that holds something else, or a name that several have; not found (4) for an id
 */
export async function findGroup(
  client: Client,
  value: string,
  type: GroupType,
  signal: AbortSignal,
  nearest?: Nearest,
): Promise<TargetGroup | undefined> {
  if (isId(value)) {
    const { data } = await client.call("groups.get", { path: { group_id: value } }, { signal });
    const group = isFields(data) ? data : {};
    const found = textIn(group, "type");
    if (found !== "" && found !== type) {
      throw usageError(
        `--group: "${textIn(group, "name")}" is a group of type ${found}; it has to be one of type ${type}`,
      );
    }
    return { id: value, name: textIn(group, "name") || value };
  }
  const [found, ...others] = await findByName(client, groupOf(type), value, {
    signal,
    ...(nearest ? { nearest } : {}),
  });
  if (found && others.length > 0) {
    const ids = [found, ...others].map(({ id }) => id).join(", ");
    throw usageError(`--group: ${others.length + 1} groups are named "${value}"; give the id of one: ${ids}`);
  }
  return found && { id: found.id, name: found.name };
}

/** Makes the group. An answer that was lost is looked for, never asked for again blindly. */
export async function createGroup(
  client: Client,
  name: string,
  type: GroupType,
  signal: AbortSignal,
): Promise<TargetGroup & { isNew: boolean }> {
  if (isId(name)) throw notFoundError(`--group: there is no group ${name}`, "--create-group needs a name");
  try {
    const { data } = await client.call("groups.create", { body: { type, name } }, { signal });
    const id = isFields(data) ? textIn(data, "id") : "";
    if (id !== "") return { id, name, isNew: true };
  } catch (error) {
    // 409: somebody else was quicker.
    if (!(error instanceof ClientError) || (error.outcome !== "unknown" && error.status !== 409)) throw error;
    const found = await findGroup(client, name, type, signal);
    if (found === undefined) throw error;
    return { ...found, isNew: false };
  }
  const found = await findGroup(client, name, type, signal);
  if (found === undefined) throw notFoundError(`the group "${name}" was made, but is not to be found`);
  return { ...found, isNew: false };
}
