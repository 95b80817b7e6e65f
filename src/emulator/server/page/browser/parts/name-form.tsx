import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Field } from "./basics.js";

/** If the user enters no name, the emulator generates one. */
export function NameForm(props: {
  noun: string;
  create: (named: { name?: string }) => Promise<boolean>;
  /** Additional fields. */
  children?: ComponentChildren;
}) {
  const [typed, setTyped] = useState("");
  const name = typed.trim();
  const submit = async () => {
    if (await props.create(name === "" ? {} : { name })) setTyped("");
  };
  return (
    <form
      class="row end"
      aria-label={`Create ${props.noun}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label="Name (optional)">
        {(attributes) => (
          <input
            {...attributes}
            autocomplete="off"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
      {props.children}
      <button type="submit" class="primary">
        Create {props.noun}
      </button>
    </form>
  );
}
