import { toLabel } from "../format.js";
import { Check, Field } from "../parts/basics.js";
import { ReferenceField } from "./reference-field.js";
import { findReferencedResource, type ResourceType } from "./resource-types.js";
import type { FieldShape } from "./schema.js";
import { joinPath, type Typed } from "./values.js";

interface ControlProps {
  resourceType: ResourceType;
  shape: FieldShape;
  path: string;
  typed: Typed;
  findError: (path: string) => string | undefined;
  changed: (path: string, value: string) => void;
}

export function Control(props: ControlProps) {
  const { shape, path, typed, findError, changed } = props;
  const { name, control, required } = shape;
  const label = toLabel(name) + (required && control !== "switch" ? " (required)" : "");
  const value = typed[path] ?? "";
  if (control === "object") return <ObjectControl {...props} />;
  if (control === "switch")
    return <Check label={label} on={value === "true"} changed={(on) => changed(path, String(on))} />;
  if (findReferencedResource(name) !== undefined)
    return (
      <ReferenceField
        resourceType={props.resourceType}
        shape={shape}
        label={label}
        value={value}
        error={findError(path)}
        changed={(next) => changed(path, next)}
      />
    );
  return (
    <SimpleControl
      shape={shape}
      label={label}
      value={value}
      error={findError(path)}
      changed={(next) => changed(path, next)}
    />
  );
}

/** Omits fields that don't belong to the object's `type`, and all fields if the object is disabled. */
function ObjectControl(props: ControlProps) {
  const { shape, path, typed } = props;
  const type = typed[joinPath(path, "type")] ?? "";
  const isOff = shape.fields.some(({ name }) => name === "enabled") && typed[`${path}.enabled`] !== "true";
  const shown = shape.fields.filter(
    ({ name, variants }) =>
      (variants === undefined || variants.includes(type)) && (!isOff || name === "enabled"),
  );
  return (
    <fieldset class="wide form card">
      <legend class="wide">{toLabel(shape.name)}</legend>
      {[...shown]
        .sort((a, b) => Number(b.control === "choice") - Number(a.control === "choice"))
        .sort((a, b) => Number(a.control === "object") - Number(b.control === "object"))
        .map((field) => (
          <Control key={field.name} {...props} shape={field} path={joinPath(path, field.name)} />
        ))}
    </fieldset>
  );
}

function SimpleControl(props: {
  shape: FieldShape;
  label: string;
  value: string;
  error: string | undefined;
  changed: (value: string) => void;
}) {
  const { shape, value, changed } = props;
  const { control, choices, nullable, required } = shape;
  const wide = ["long", "json", "pairs"].includes(control);
  const formats: Readonly<Record<string, string>> = {
    lines: "one per line",
    json: "JSON",
    pairs: "one per line, such as X-Name: value",
  };
  const hints = [formats[control] ?? "", nullable && control !== "choice" ? "may be empty" : ""];
  return (
    <Field label={props.label} wide={wide} error={props.error} hint={hints.filter(Boolean).join(", ")}>
      {(attributes) => {
        const common = { ...attributes, value };
        if (control === "choice")
          return (
            <select {...common} onChange={(event) => changed(event.currentTarget.value)}>
              {required && value !== "" ? null : <option value="">{nullable ? "none" : "default"}</option>}
              {choices.map((choice) => (
                <option key={choice} value={choice}>
                  {choice}
                </option>
              ))}
            </select>
          );
        if (wide || control === "lines")
          return (
            <textarea
              {...common}
              class={control === "json" ? "code" : undefined}
              rows={Math.min(20, Math.max(2, value.split("\n").length + Math.floor(value.length / 100)))}
              onInput={(event) => changed(event.currentTarget.value)}
            />
          );
        return (
          <input
            {...common}
            type="text"
            inputMode={control === "number" ? "decimal" : "text"}
            autocomplete="off"
            onInput={(event) => changed(event.currentTarget.value)}
          />
        );
      }}
    </Field>
  );
}
