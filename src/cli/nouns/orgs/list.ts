import type { Fields } from "../../../base/fields.js";
import { getText } from "../../../base/fields.js";
import { idText, organizationId } from "../../../client/ids.js";
import { organizationsInTree } from "../../../client/organization-tree.js";
import { listCommand } from "../../derive/list.js";
import type { Derivation } from "../../derive/noun.js";
import { notFoundError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { organization } from "../../session/references/organization.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { formatStatus } from "../distributor/organizations.js";

interface Line {
  organization: Fields;
  prefix: string;
  parent: Fields | undefined;
}

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

/** Some formats can't contain nested data. */
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

function linesBelow(lines: readonly Line[], id: string): Line[] {
  const below = new Set<Fields>();
  const top = lines.find(({ organization }) => organizationId(organization) === id);
  return lines.flatMap((line) => {
    if (line !== top && !(line.parent && below.has(line.parent))) return [];
    below.add(line.organization);
    // Remove the part of the prefix that shows the levels above `top`.
    return [{ ...line, prefix: line === top ? "" : line.prefix.slice(top?.prefix.length ?? 0) }];
  });
}

function rowsBelow(lines: readonly Line[]): Fields[] {
  const [top] = lines;
  const nested =
    top && Object.keys(omitNested(top.organization)).length < Object.keys(top.organization).length;
  return nested ? [top.organization] : lines.map(({ organization }) => organization);
}

/**
 * @param value external ID, name or ID of the organization; undefined for all organizations
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
  // An empty `all` means that the response is not a tree. Show it unchanged instead of filtering it.
  if (id !== undefined && all.length > 0 && organizations.length === 0)
    throw notFoundError(
      `organization "${value}" not found in the tree`,
      `the tree might not include new organizations yet; use \`voxctl orgs get ${value}\``,
    );
  const data = id === undefined || all.length === 0 ? whole : rowsBelow(organizations);
  // The service doesn't document the tree's format, so print an unknown tree as received.
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
    // Screen readers can't read drawn lines, so show the parent's name.
    prefix: session.flags.plain ? "" : prefix,
    msp: parent === undefined ? "" : parent["externalOrganizationId"],
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

export function organizationList(derivation: Derivation): Command {
  const list = listCommand(derivation);
  const filters = (list.flags ?? []).map(({ name }) => name).filter((name) => name !== "parent");
  return {
    ...list,
    flags: [
      ...(list.flags ?? []),
      {
        name: "tree",
        description: "Show MSPs with their customers as a tree; with --parent, show only that MSP",
        conflicts: filters,
      },
    ],
    async run(session, input) {
      if (input.on("tree") !== true) return list.run(session, input);
      await showTree(session, input.text("parent"));
    },
  };
}
