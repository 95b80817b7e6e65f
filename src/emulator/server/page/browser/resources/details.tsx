import type { ComponentChildren } from "preact";
import { toLabel } from "../format.js";
import { Facts, Time } from "../parts/basics.js";
import { formatHref } from "../route.js";
import { type Row, text } from "../rows.js";
import type { ResourceType } from "./resource-types.js";
import type { FieldShape } from "./schema.js";

export function Details(props: { resourceType: ResourceType; resource: Row; shapes: readonly FieldShape[] }) {
  const { resourceType, resource } = props;
  const writable = new Set(props.shapes.map(({ name }) => name));
  const id = text(resource, "id");
  const facts = Object.entries(resource)
    .filter(([field]) => field !== "id" && !writable.has(field))
    .map(([field, value]) => [toLabel(field), formatValue(field, value)] as const);
  return (
    <aside aria-labelledby="details" class="card">
      <h3 id="details">Details</h3>
      <Facts of={[["ID", <code key="id">{id}</code>], ...facts]} />
      <p class="links row">
        {resourceType.name === "assistants" ? (
          <a href={formatHref("calls", [], { assistant: id })}>Calls</a>
        ) : null}
        {resourceType.name === "groups" ? (
          <a href={formatHref("resources", [findMemberType(text(resource, "type"))], { group: id })}>
            Contents
          </a>
        ) : null}
        <a href={formatHref("requests", [], { search: id, own: "1" })}>Requests for this resource</a>
      </p>
    </aside>
  );
}

function formatValue(field: string, value: unknown): ComponentChildren {
  if (value === null) return "none";
  if (typeof value === "string" && field.endsWith("_at")) return <Time iso={value} />;
  return typeof value === "object" ? <code>{JSON.stringify(value)}</code> : String(value);
}

function findMemberType(type: string): string {
  const resourceNames: Readonly<Record<string, string>> = {
    contacts: "contacts",
    knowledges: "knowledge",
    forwardings: "forwardings",
    glossaries: "glossary",
    pronunciations: "pronunciation",
  };
  return resourceNames[type] ?? "groups";
}
