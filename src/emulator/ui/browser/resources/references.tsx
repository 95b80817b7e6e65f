import type { ComponentChildren } from "preact";
import { words } from "../format.js";
import { Facts, Time } from "../parts/basics.js";
import { hrefOf } from "../route.js";
import { type Row, text } from "../rows.js";
import { type Kind, referredBy } from "./kinds.js";
import type { Named } from "./names.js";
import type { FieldShape } from "./schema.js";

type Names = Readonly<Record<string, Named>>;

/** The fields of a thing that can't be changed, and links to what it names and to what names it. */
export function References(props: { kind: Kind; thing: Row; names: Names; shapes: readonly FieldShape[] }) {
  const { kind, thing, names } = props;
  const writable = new Set(props.shapes.map(({ name }) => name));
  const facts = Object.entries(thing).flatMap(([field, value]): [string, ComponentChildren][] => {
    if (referredBy(field) !== undefined) {
      const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === "string");
      return [[words(field), ids.length === 0 ? "none" : <Links ids={ids} field={field} names={names} />]];
    }
    return writable.has(field) ? [] : [[words(field), shown(field, value)]];
  });
  const id = text(thing, "id");
  return (
    <section aria-labelledby="references">
      <h3 id="references">Belongs to it</h3>
      <Facts of={[["Id", <code key="id">{id}</code>], ...facts.filter(([name]) => name !== "Id")]} />
      <p class="links">
        {kind.name === "assistants" ? <a href={hrefOf("calls", [], { assistant: id })}>Its calls</a> : null}
        {kind.name === "groups" ? (
          <a href={hrefOf("resources", [membersOf(text(thing, "type"))], { group: id })}>What is in it</a>
        ) : null}
        <a href={hrefOf("requests", [], { search: id, own: "1" })}>Requests about it</a>
      </p>
    </section>
  );
}

function shown(field: string, value: unknown): ComponentChildren {
  if (value === null) return "none";
  if (typeof value === "string" && field.endsWith("_at")) return <Time iso={value} />;
  return typeof value === "object" ? <code>{JSON.stringify(value)}</code> : String(value);
}

function Links({ ids, field, names }: { ids: readonly string[]; field: string; names: Names }) {
  return (
    <span class="links">
      {ids.map((id) => {
        const named = names[id];
        const resource = named?.resource ?? referredBy(field) ?? "";
        const path = resource === "voices" ? [resource] : [resource, id];
        return (
          <a key={id} href={hrefOf("resources", path)}>
            {named?.name ?? id}
          </a>
        );
      })}
    </span>
  );
}

/** The kind of the things in a group of this type. */
function membersOf(type: string): string {
  const kinds: Readonly<Record<string, string>> = {
    contacts: "contacts",
    knowledges: "knowledge",
    forwardings: "forwardings",
    glossaries: "glossary",
    pronunciations: "pronunciation",
  };
  return kinds[type] ?? "groups";
}
