import { formatThousands } from "../../../base/text.js";

const plurals: Readonly<Record<string, string>> = {
  glossary: "glossary items",
  knowledge: "knowledge items",
  orgs: "organizations",
  pronunciation: "pronunciation items",
};

export function toPlural(resource: string): string {
  return plurals[resource] ?? resource;
}

export function toSingular(resource: string): string {
  return toPlural(resource).replace(/s$/, "");
}

export function formatResources(resource: string, count: number): string {
  return `${formatThousands(count)} ${count === 1 ? toSingular(resource) : toPlural(resource)}`;
}
