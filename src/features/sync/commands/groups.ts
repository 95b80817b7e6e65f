import { createSuggester, formatSuggestion } from "../../../base/suggestions.js";
import { findGroup } from "../../../cli/bulk/group.js";
import { notFoundError } from "../../../cli/errors/errors.js";
import { groupOf } from "../../../cli/session/references/group.js";
import { readAll } from "../../../cli/session/references/references.js";
import type { Session } from "../../../cli/session/session.js";
import type { Client } from "../../../client/types.js";

/**
 * Returns the contact group in --group, or all contact groups.
 * @throws CliError with exit code 4 if the group is not found
 */
export async function listContactGroups(
  { signal }: Session,
  client: Client,
  name: string | undefined,
): Promise<{ id: string; name: string }[]> {
  if (name === undefined) {
    const groups: { id: string; name: string }[] = [];
    for await (const { id, name: own } of readAll(client, groupOf("contacts"), { signal }))
      groups.push({ id, name: own });
    return groups;
  }
  const nearest = createSuggester(name);
  const group = await findGroup(client, name, "contacts", signal, nearest);
  if (group !== undefined) return [group];
  throw notFoundError(
    `contact group "${name}" not found`,
    `${formatSuggestion(nearest)}list groups: \`voxctl groups list --type contacts\``,
  );
}
