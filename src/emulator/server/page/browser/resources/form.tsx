import { useState } from "preact/hooks";
import type { ApiResponse } from "../api.js";
import { useApp } from "../context.js";
import { Button } from "../parts/basics.js";
import { formatPath } from "../parts/rule.js";
import { type Row, text } from "../rows.js";
import { Control } from "./field-control.js";
import { findReferencedResource, type ResourceType } from "./resource-types.js";
import type { FieldShape } from "./schema.js";
import { buildBody, type Typed, toTyped } from "./values.js";

/** Built from the API's description; sends only changed fields. */
export function Form(props: {
  resourceType: ResourceType;
  shapes: readonly FieldShape[];
  stored: Row | undefined;
  refusal: ApiResponse | undefined;
  send: (body: Row) => Promise<boolean>;
}) {
  const { attempt, notify } = useApp();
  const { shapes, stored, refusal } = props;
  const [typed, setTyped] = useState<Typed>(() => toTyped(shapes, stored ?? {}));
  const send = () =>
    attempt(async () => {
      const body = buildBody(shapes, typed, stored);
      if (stored && Object.keys(body).length === 0) notify("No changes to save.");
      else await props.send(body);
    });
  const findError = (path: string) =>
    refusal?.details
      .filter((detail) => `${formatPath(detail)}.`.startsWith(`${path}.`))
      .map((detail) => text(detail, "message"))
      .join("; ");
  const controls = (names: readonly FieldShape[]) =>
    names.map((shape) => (
      <Control
        key={shape.name}
        resourceType={props.resourceType}
        shape={shape}
        path={shape.name}
        typed={typed}
        findError={findError}
        changed={(path, value) => setTyped((before) => ({ ...before, [path]: value }))}
      />
    ));
  // Show lists of choices in CSS columns. A grid would leave gaps, because the lists' heights differ.
  const lists = shapes.filter((shape) => shape.control === "lines" && findReferencedResource(shape.name));
  const tall = shapes.filter(
    (shape) => !lists.includes(shape) && ["long", "lines", "pairs", "json", "object"].includes(shape.control),
  );
  const short = shapes.filter((shape) => !lists.includes(shape) && !tall.includes(shape));
  return (
    <form
      aria-label={props.resourceType.noun}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="form">
        {controls(short)}
        {controls(tall)}
      </div>
      {lists.length > 0 ? <div class="lists">{controls(lists)}</div> : null}
      <div class="row">
        <Button variant="primary" act={send}>
          {stored ? "Save" : "Create"}
        </Button>
      </div>
    </form>
  );
}
