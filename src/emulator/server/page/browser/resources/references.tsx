import type { ComponentChildren } from "preact";
import { toLabel } from "../format.js";
import { Facts, Time } from "../parts/basics.js";
import { formatHref } from "../route.js";
import { type Row, text } from "../rows.js";
import type { Named } from "./names.js";
import { findReferencedResource, type ResourceType } from "./resource-types.js";
import type { FieldShape } from "./schema.js";

type Names = Readonly<Record<string, Named>>;

/** The read-only fields of a resource, and links to related resources. */
export function References(props: {
  resourceType: ResourceType;
  resource: Row;
  names: Names;
  shapes: readonly FieldShape[];
}) {
  const { resourceType, resource, names } = props;
  const writable = new Set(props.shapes.map(({ name }) => name));
  const facts = Object.entries(resource).flatMap(([field, value]): [string, ComponentChildren][] => {
    if (findReferencedResource(field) !== undefined) {
      const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === "string");
      return [[toLabel(field), ids.length === 0 ? "none" : <Links ids={ids} field={field} names={names} />]];
    }
    return writable.has(field) ? [] : [[toLabel(field), formatValue(field, value)]];
  });
  const id = text(resource, "id");
  return (
    <section aria-labelledby="references">
      <h3 id="references">Related</h3>
      <Facts of={[["ID", <code key="id">{id}</code>], ...facts.filter(([name]) => name !== "Id")]} />
      <p class="links">
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
    </section>
  );
}

function formatValue(field: string, value: unknown): ComponentChildren {
  if (value === null) return "none";
  if (typeof value === "string" && field.endsWith("_at")) return <Time iso={value} />;
  return typeof value === "object" ? <code>{JSON.stringify(value)}</code> : String(value);
}

function Links({ ids, field, names }: { ids: readonly string[]; field: string; names: Names }) {
  return (
    <span class="links">
      {ids.map((id) => {
        const named = names[id];
        const resource = named?.resource ?? findReferencedResource(field) ?? "";
        const path = resource === "voices" ? [resource] : [resource, id];
        return (
          <a key={id} href={formatHref("resources", path)}>
            {named?.name ?? id}
          </a>
        );
      })}
    </span>
  );
}

/** Returns the type of the items in a group of this type. */
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
