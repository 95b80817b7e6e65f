import { useState } from "preact/hooks";
import { useApp } from "../context.js";
import { Button, Copy, Field } from "../parts/basics.js";
import { type Row, rowOf } from "../rows.js";
import type { FieldShape } from "./schema.js";
import { changedFields } from "./values.js";

/** For an existing resource, the form sends only changed fields. */
export function JsonForm(props: {
  stored: Row | undefined;
  shapes: readonly FieldShape[];
  send: (body: Row) => Promise<boolean>;
}) {
  const { attempt, notify } = useApp();
  const { stored } = props;
  const [typed, setTyped] = useState(() => JSON.stringify(stored ?? buildInitialBody(props.shapes), null, 2));
  const send = () =>
    attempt(async () => {
      const edited = parsed(typed);
      const body = stored ? changedFields(edited, stored) : edited;
      if (stored && Object.keys(body).length === 0) notify("No changes to save.");
      else await props.send(body);
    });
  return (
    <div class="card">
      <Field label="JSON" wide hint={stored ? "only changed fields are sent" : "sent as typed"}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="code"
            rows={Math.min(30, typed.split("\n").length + 1)}
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        <Button variant="primary" act={send}>
          {stored ? "Save" : "Create"}
        </Button>
        <Copy text={typed}>Copy</Copy>
      </div>
    </div>
  );
}

function buildInitialBody(shapes: readonly FieldShape[]): Row {
  return Object.fromEntries(
    shapes
      .filter(({ required }) => required)
      .map(({ name, control, choices }) => [name, choices[0] ?? (control === "lines" ? [] : "")]),
  );
}

function parsed(typed: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch (error) {
    throw new Error(`Invalid JSON: ${error instanceof Error ? error.message : ""}`);
  }
  return rowOf(value);
}
