import { idText, organizationId } from "../../../client/ids.js";
import { organizationsInTree } from "../../../client/organization-tree.js";
import { listCommand } from "../../derive/list.js";
import type { Derivation } from "../../derive/noun.js";
import { notFoundError, usageError } from "../../errors/errors.js";
import type { Fields } from "../../output/fields.js";
import { getText } from "../../output/fields.js";
import type { Command } from "../../session/command.js";
import { organization } from "../../session/references/organization.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { formatStatus } from "../distributor/organizations.js";

interface Line {
  organization: Fields;
  /** The lines that draw the tree before it. */
  prefix: string;
  parent: Fields | undefined;
}

/** Returns every organization with the lines before it; each follows the one that contains it or is its parent. */
function drawTree(tree: unknown): Line[] {
  const nodes = [...organizationsInTree(tree)];
  const byId = new Map(nodes.map(({ row }) => [organizationId(row), row]));
  const inner = new Map<Fields | undefined, Fields[]>();
  for (const { row, parent } of nodes) {
    const named = byId.get(idText(row["parentOrganizationId"]));
    const above = parent ?? (named === row ? undefined : named);
    const siblings = inner.get(above) ?? [];
    siblings.push(row);
    inner.set(above, siblings);
  }
  const lines: Line[] = [];
  const add = (parent: Fields | undefined, before: string) => {
    const rows = inner.get(parent) ?? [];
    for (const [index, organization] of rows.entries()) {
      const isLast = index === rows.length - 1;
      lines.push({ organization, parent, prefix: parent ? before + (isLast ? "└─ " : "├─ ") : "" });
      add(organization, parent ? before + (isLast ? "   " : "│  ") : "");
    }
  };
  add(undefined, "");
  return lines;
}

/** Returns an organization without those that it contains, for formats that can't nest. */
function omitNested(organization: Fields): Fields {
  const nests = (value: unknown) =>
    (Array.isArray(value) && value.length === 0) || organizationsInTree(value).next().done !== true;
  return Object.fromEntries(Object.entries(organization).filter(([, value]) => !nests(value)));
}

const fields = [
  "id",
  "type",
  "name",
  "parentOrganizationId",
  "externalOrganizationId",
  "externalLicenseId",
  "status",
  "blockedReason",
];

/** The lines of one organization and of what stands in it, drawn as if it stood by itself. */
function linesBelow(lines: readonly Line[], id: string): Line[] {
  const below = new Set<Fields>();
  const top = lines.find(({ organization }) => organizationId(organization) === id);
  return lines.flatMap((line) => {
    if (line !== top && !(line.parent && below.has(line.parent))) return [];
    below.add(line.organization);
    // Lines of deeper ones begin with the column of spaces or strokes that each level adds.
    return [{ ...line, prefix: line === top ? "" : line.prefix.slice(top?.prefix.length ?? 0) }];
  });
}

/** The same as the service nests them: the one with what stands in it, or all of them where the tree is flat. */
function rowsBelow(lines: readonly Line[]): Fields[] {
  const [top] = lines;
  const nested =
    top && Object.keys(omitNested(top.organization)).length < Object.keys(top.organization).length;
  return nested ? [top.organization] : lines.map(({ organization }) => organization);
}

/**
 * Draws all organizations, or one with what belongs to it.
 * @param value its external id, name or id
 * @throws not found (4)
 */
async function showTree(session: Session, value: string | undefined): Promise<void> {
  const { client } = await session.connect();
  const id =
    value === undefined
      ? undefined
      : await resolveReference(client, organization, value, "--parent", session);
  const { data: whole } = await client.call("orgs.tree", {}, { signal: session.signal });
  const { format } = session.output;
  const all = drawTree(whole);
  const organizations = id === undefined ? all : linesBelow(all, id);
  // T10: what is no tree cannot be narrowed either, and is shown as it came.
  if (id !== undefined && all.length > 0 && organizations.length === 0)
    throw notFoundError(
      `${value} is not in this service's tree`,
      "A list may show an organization that the tree shows later: voxctl orgs get shows it now",
    );
  const data = id === undefined || all.length === 0 ? whole : rowsBelow(organizations);
  // T10: what is no tree of organizations is shown as it came; how it is nested is not documented.
  const isKnown = organizations.length > 0 || (Array.isArray(data) && data.length === 0);
  if (!isKnown) {
    await session.output.item(data);
    return;
  }
  if (format === "csv") {
    await session.output.list(
      organizations.map(({ organization }) => omitNested(organization)),
      { columns: [], fields },
    );
    return;
  }
  if (format !== "table") {
    if (Array.isArray(data)) await session.output.list(data, { columns: [], fields });
    else await session.output.item(data);
    return;
  }
  const lines = organizations.map(({ organization, prefix, parent }) => ({
    ...organization,
    // Drawn lines say nothing when they are read aloud; the parent's name does.
    prefix: session.flags.plain ? "" : prefix,
    msp: parent === undefined ? "is one" : parent["externalOrganizationId"],
  }));
  await session.output.list(lines, {
    columns: [
      {
        header: "ORGANIZATION",
        value: (row) => getText(row, "prefix") + getText(row, "externalOrganizationId"),
        keep: true,
        isId: true,
      },
      ...(session.flags.plain ? [{ header: "MSP", value: "msp" }] : []),
      { header: "NAME", value: "name" },
      { header: "LICENSE", value: "externalLicenseId", keep: true },
      { header: "STATUS", value: formatStatus, as: "status", keep: true },
      { header: "ID", value: organizationId, keep: true, optional: true },
    ],
    empty: "no organizations",
  });
}

/** `voxctl orgs list [--tree]` */
export function organizationList(derivation: Derivation): Command {
  const list = listCommand(derivation);
  const filters = (list.flags ?? []).map(({ name }) => name).filter((name) => name !== "parent");
  return {
    ...list,
    flags: [
      ...(list.flags ?? []),
      { name: "tree", description: "Draw MSPs with their customers; with --parent, only this MSP" },
    ],
    async run(session, input) {
      if (input.on("tree") !== true) return list.run(session, input);
      const filter = filters.find((name) => input.has(name));
      if (filter !== undefined) throw usageError(`conflicting flags: --tree and --${filter}`);
      await showTree(session, input.text("parent"));
    },
  };
}
