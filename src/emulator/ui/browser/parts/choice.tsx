import { Field } from "./basics.js";

/** One of several values; each as it is, or as it is said. */
export function Choice(props: {
  label: string;
  value: string;
  of: readonly (string | { value: string; said: string })[];
  changed: (value: string) => void;
}) {
  const choices = props.of.map((one) => (typeof one === "string" ? { value: one, said: one } : one));
  return (
    <Field label={props.label}>
      {(attributes) => (
        <select
          {...attributes}
          value={props.value}
          onChange={(event) => props.changed(event.currentTarget.value)}
        >
          {choices.map(({ value, said }) => (
            <option key={value} value={value}>
              {said}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
