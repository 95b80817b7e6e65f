import { Field } from "./basics.js";

export function Choice(props: {
  label: string;
  value: string;
  of: readonly (string | { value: string; label: string })[];
  changed: (value: string) => void;
}) {
  const choices = props.of.map((choice) =>
    typeof choice === "string" ? { value: choice, label: choice } : choice,
  );
  return (
    <Field label={props.label}>
      {(attributes) => (
        <select
          {...attributes}
          value={props.value}
          onChange={(event) => props.changed(event.currentTarget.value)}
        >
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
