import { useState } from "preact/hooks";
import type { ApiResponse } from "../api.js";
import { useApp } from "../context.js";
import { toLabel } from "../format.js";
import { Button, Check, Field } from "../parts/basics.js";
import { formatPath } from "../parts/rule.js";
import { type Row, text } from "../rows.js";
import { ReferenceField } from "./reference-field.js";
import { findReferencedResource, type ResourceType } from "./resource-types.js";
import type { FieldShape } from "./schema.js";
import { bodyOf, type Typed, typedOf } from "./values.js";

/** A form for a resource, built from the API's description. Only changed fields are sent. */
export function Form(props: {
  resourceType: ResourceType;
  shapes: readonly FieldShape[];
  stored: Row | undefined;
  refusal: ApiResponse | undefined;
  send: (body: Row) => Promise<boolean>;
}) {
  const { attempt, notify } = useApp();
  const { shapes, stored, refusal } = props;
  const [typed, setTyped] = useState<Typed>(() =>
    Object.fromEntries(shapes.map((shape) => [shape.name, stored ? typedOf(shape, stored[shape.name]) : ""])),
  );
  const change = (name: string, value: string) => setTyped({ ...typed, [name]: value });
  const send = () =>
    attempt(async () => {
      const body = bodyOf(shapes, typed, stored);
      if (stored && Object.keys(body).length === 0) notify("No changes to save.");
      else await props.send(body);
    });
  const errorOf = (name: string) =>
    refusal?.details
      .filter((detail) => formatPath(detail).split(".")[0] === name)
      .map((detail) => text(detail, "message"))
      .join("; ");
  return (
    <form
      class="form"
      aria-label={props.resourceType.noun}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {shapes.map((shape) => (
        <Control
          key={shape.name}
          resourceType={props.resourceType}
          shape={shape}
          value={typed[shape.name] ?? ""}
          error={errorOf(shape.name)}
          changed={(value) => change(shape.name, value)}
        />
      ))}
      <div class="buttons wide">
        <Button variant="main" act={send}>
          {stored ? "Save" : "Create"}
        </Button>
      </div>
    </form>
  );
}

interface ControlProps {
  resourceType: ResourceType;
  shape: FieldShape;
  value: string;
  error: string | undefined;
  changed: (value: string) => void;
}

function Control({ resourceType, shape, value, error, changed }: ControlProps) {
  const { name, control, choices, nullable, required } = shape;
  const label = toLabel(name) + (required ? " (required)" : "");
  if (control === "switch")
    return <Check label={label} on={value === "true"} changed={(on) => changed(String(on))} />;
  if (findReferencedResource(name) !== undefined)
    return (
      <ReferenceField
        resourceType={resourceType}
        shape={shape}
        label={label}
        value={value}
        error={error}
        changed={changed}
      />
    );
  const wide = control === "long" || control === "json";
  const hints = [
    control === "lines" ? "one per line" : "",
    control === "json" ? "JSON" : "",
    nullable ? "may be empty" : "",
  ];
  return (
    <Field label={label} wide={wide} error={error} hint={hints.filter(Boolean).join(", ")}>
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
