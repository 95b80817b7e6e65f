import type { DeclaredMember, ListedMembers } from "./members-file.js";

export type ListedOrganization = Readonly<Record<string, unknown>>;

interface Listed {
  members: DeclaredMember[];
  problems: string[];
}

/** Matches values that are safe in the path of a key file, because they can't refer to another directory. */
const segment = /^(?!\.{1,2}$)[A-Za-z0-9._:-]+$/;

/**
 * Returns a member for each organization that the source selects. Replaces invalid characters in names with
 * hyphens.
 * @param organizations all organizations of the distributor, because a template can use fields of an
 * organization's parent
 * @param address URL of each member if the source specifies none
 */
export function toListedMembers(
  organizations: readonly ListedOrganization[],
  source: ListedMembers,
  address: string,
): Listed {
  const byId = new Map(organizations.map((organization) => [organization["id"], organization]));
  const { type, status } = source.organizations;
  const selected = organizations.filter(
    (organization) =>
      (type === undefined || organization["type"] === type) &&
      (status === undefined || organization["status"] === status),
  );
  const listed: Listed = { members: [], problems: [] };
  for (const organization of selected) {
    const parent = byId.get(organization["parentOrganizationId"]);
    const fill = (template: string) => fillTemplate(template, organization, parent);
    const id = String(organization["externalOrganizationId"] ?? organization["id"]);
    const name = fill(source.name)
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .slice(0, 64);
    if (name === "")
      listed.problems.push(`organization ${id}: "${source.name}" gives the member an empty name`);
    const unsafe = findPlaceholders(source.key).find((placeholder) => !segment.test(fill(placeholder)));
    if (unsafe !== undefined)
      listed.problems.push(
        `organization ${id}: the value of ${unsafe} contains characters that aren't allowed in the source of a key`,
      );
    const labels = Object.entries(source.labels).map(([label, template]) => [label, fill(template)] as const);
    listed.members.push({
      name,
      labels: Object.fromEntries(labels.filter(([, value]) => value !== "")),
      reference: { url: source.url === undefined ? address : fill(source.url), key: fill(source.key) },
    });
  }
  const names = listed.members.map(({ name }) => name);
  for (const name of new Set(names.filter((candidate, index) => names.indexOf(candidate) !== index)))
    listed.problems.push(`profile "${source.profile}" lists several organizations with the name "${name}"`);
  return listed;
}

function findPlaceholders(template: string): string[] {
  return template.match(/\{[^{}]*\}/g) ?? [];
}

function fillTemplate(
  template: string,
  organization: ListedOrganization,
  parent: ListedOrganization | undefined,
): string {
  return template.replace(/\{(parent\.)?([^{}]*)\}/g, (_, ofParent: string | undefined, field: string) => {
    const value = (ofParent === undefined ? organization : (parent ?? {}))[field];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  });
}
