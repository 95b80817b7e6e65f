import { useApp } from "../context.js";
import { usePicked } from "../key.js";
import { useLive } from "../live.js";
import { Field } from "../parts/basics.js";
import { formatHref } from "../route.js";
import { type Row, rowsOf, text } from "../rows.js";
import { findGroupType, findReferencedResource, type ResourceType } from "./resource-types.js";
import type { FieldShape } from "./schema.js";

/** For other resources, the user can enter the ID in the JSON form. */
const offered = 500;

export function ReferenceField(props: {
  resourceType: ResourceType;
  shape: FieldShape;
  label: string;
  value: string;
  error: string | undefined;
  changed: (value: string) => void;
}) {
  const { control } = useApp();
  const organization = usePicked()?.organizationId ?? "";
  const { shape, value, changed } = props;
  const resource = findReferencedResource(shape.name) ?? "";
  const type = resource === "groups" ? findGroupType(shape.name, props.resourceType.name) : undefined;
  const { data = [] } = useLive(
    async () => {
      if (resource === "voices") return rowsOf(await control.get("/voices"));
      const query = `limit=${offered}&organization_id=${organization}`;
      return rowsOf(await control.get(`/resources/${resource}?${query}`));
    },
    [resource, organization],
    { live: false },
  );
  const choices = data.filter((row) => type === undefined || text(row, "about") === type);
  if (shape.control === "lines") return <Several {...props} resource={resource} choices={choices} />;
  const isKnown = value === "" || choices.some((row) => text(row, "id") === value);
  return (
    <Field
      label={props.label}
      error={props.error}
      link={
        value === "" ? undefined : <OpenLink resource={resource} id={value} name={findName(choices, value)} />
      }
    >
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => changed(event.currentTarget.value)}>
          <option value="">{shape.nullable ? "none" : "choose"}</option>
          {isKnown ? null : <option value={value}>{value}</option>}
          {choices.map((row) => (
            <option key={text(row, "id")} value={text(row, "id")}>
              {getName(row)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Several(props: {
  label: string;
  value: string;
  error: string | undefined;
  changed: (value: string) => void;
  resource: string;
  choices: readonly Row[];
}) {
  const chosen = props.value.split("\n").filter((id) => id !== "");
  const known = new Set(props.choices.map((row) => text(row, "id")));
  const toggle = (id: string, on: boolean) =>
    props.changed((on ? [...chosen, id] : chosen.filter((chosenId) => chosenId !== id)).join("\n"));
  const rows = [
    ...props.choices.map((row) => ({ id: text(row, "id"), name: getName(row) })),
    ...chosen.filter((id) => !known.has(id)).map((id) => ({ id, name: id })),
  ];
  return (
    <fieldset class="card">
      <legend>{props.label}</legend>
      {rows.length === 0 ? <p class="faint">No choices.</p> : null}
      {rows.map(({ id, name }) => (
        <div key={id} class="line check">
          <label class="check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={(event) => toggle(id, event.currentTarget.checked)}
            />
            {name}
          </label>
          {chosen.includes(id) ? <OpenLink resource={props.resource} id={id} name={name} /> : null}
        </div>
      ))}
      {props.error ? <small class="bad">{props.error}</small> : null}
    </fieldset>
  );
}

function OpenLink({ resource, id, name }: { resource: string; id: string; name: string }) {
  return (
    <a href={formatHref("resources", resource === "voices" ? [resource] : [resource, id])} class="open">
      Open<span class="hidden"> {name}</span>
    </a>
  );
}

function findName(rows: readonly Row[], id: string): string {
  const row = rows.find((candidate) => text(candidate, "id") === id);
  return row ? getName(row) : id;
}

function getName(row: Row): string {
  return text(row, "name") || text(row, "id");
}
