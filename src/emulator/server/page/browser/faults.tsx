import { useState } from "preact/hooks";
import { faultTypes } from "../../../../contract/control/choices.js";
import { useApp } from "./context.js";
import { faultTexts, presets } from "./fault-texts.js";
import { formatCount } from "./format.js";
import { useLive } from "./live.js";
import { Button, Facts, Field, Heading, Nothing, Pill, Time } from "./parts/basics.js";
import { Table } from "./parts/table.js";
import { type Row, rowsOf, text } from "./rows.js";

const columns = [
  "Type",
  "Target",
  { name: "Frequency", as: "extra" },
  { name: "Applied", as: "number extra" },
  { name: "Until", as: "extra" },
  { name: "Remove", as: "hidden" },
] as const;

export function Faults() {
  const { control, notify, attempt, confirm } = useApp();
  const { data, error, reload } = useLive(async () => rowsOf(await control.get("/faults")), []);
  const add = (fault: Row) =>
    attempt(async () => {
      await control.send("POST", "/faults", fault);
      await reload();
      notify(`Added fault ${text(fault, "kind")}.`);
    });
  const remove = (row: Row) =>
    attempt(async () => {
      await control.send("DELETE", `/faults/${encodeURIComponent(text(row, "id"))}`);
      await reload();
      notify(`Removed fault ${text(row, "kind")}.`);
    });
  const clear = async () => {
    const warning = "All faults will be deleted, with their counts.";
    const title = `Remove ${formatCount((data ?? []).length, "fault")}?`;
    if (!(await confirm({ title, text: warning, action: "Remove all", isDestructive: true }))) return;
    await attempt(async () => {
      await control.send("DELETE", "/faults");
      await reload();
      notify("Removed all faults.");
    });
  };
  return (
    <section aria-labelledby="faults-heading">
      <div class="head row">
        <Heading id="faults-heading">Faults</Heading>
        {(data ?? []).length === 0 ? null : (
          <Button variant="destructive" act={clear}>
            Remove all…
          </Button>
        )}
      </div>
      {(data ?? []).length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          <p>No active faults. Requests are handled as the API rules specify.</p>
        </Nothing>
      ) : (
        <Table caption="Active faults" columns={columns}>
          {data?.map((row) => (
            <tr key={text(row, "id")}>
              <th scope="row">
                {text(row, "kind")} {isUsedUp(row) ? <Pill>used up</Pill> : null}
              </th>
              <td class="wide">{describeTarget(row)}</td>
              <td class="extra">{describeFrequency(row)}</td>
              <td class="number extra">{text(row, "struck")}</td>
              <td class="extra">
                <Time iso={text(row, "expires_at")} />
              </td>
              <td class="actions">
                <Button
                  variant="quiet destructive"
                  label={`Remove fault ${text(row, "kind")}: ${describeTarget(row)}`}
                  act={() => remove(row)}
                >
                  Remove
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <h3>Common faults</h3>
      <ul class="grid">
        {presets.map(({ name, text: description, fault }) => (
          <li key={name} class="card field">
            <strong>{name}</strong>
            <p class="faint">{description}</p>
            <Button label={`Add fault: ${name}`} act={() => add(fault)}>
              Add
            </Button>
          </li>
        ))}
      </ul>
      <h3 id="faults-add">Add another fault</h3>
      <FaultForm add={add} />
      <details>
        <summary>Fault types</summary>
        <Facts of={faultTypes.map((kind) => [kind, faultTexts[kind]] as const)} />
      </details>
    </section>
  );
}

function isUsedUp(row: Row): boolean {
  return row["times"] !== null && Number(row["struck"]) >= Number(row["times"]);
}

function describeTarget(row: Row): string {
  const parts = ["operation", "method", "path"].map((name) => text(row, name)).filter((part) => part !== "");
  const key = text(row, "key_id");
  if (key !== "") parts.push(`with key ${key}`);
  return parts.length > 0 ? parts.join(" ") : "every request";
}

function describeFrequency(row: Row): string {
  const parts = [
    row["times"] === null ? "always" : formatCount(Number(row["times"]), "time"),
    row["probability"] === null ? "" : `with probability ${text(row, "probability")}`,
    row["skip"] === 0 ? "" : `after ${formatCount(Number(row["skip"]), "request")}`,
    row["delay_ms"] === null ? "" : `by ${text(row, "delay_ms")} ms`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

const numbers = [
  { name: "probability", label: "Probability", hint: "0 to 1; empty for 1" },
  { name: "times", label: "Times", hint: "empty for no limit" },
  { name: "skip", label: "Requests to skip" },
  { name: "expires_in_seconds", label: "Ends after (seconds)" },
] as const;

function FaultForm({ add }: { add: (fault: Row) => Promise<boolean> }) {
  const { control, api } = useApp();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({ kind: faultTypes[0] });
  const { data: operations = [] } = useLive(async () => rowsOf(await control.get("/operations")), [], {
    live: false,
  });
  const value = (name: string) => typed[name] ?? "";
  const change = (name: string) => (event: { currentTarget: { value: string } }) =>
    setTyped({ ...typed, [name]: event.currentTarget.value });
  const kind = faultTypes.find((candidate) => candidate === value("kind")) ?? faultTypes[0];
  const numeric = new Set<string>([...numbers.map(({ name }) => name), "delay_ms"]);
  const send = async () => {
    const given = Object.entries(typed)
      .filter(([name, input]) => input.trim() !== "" && (name !== "delay_ms" || kind === "delay"))
      .map(([name, input]) => [name, numeric.has(name) ? Number(input) : input.trim()]);
    if (await add(Object.fromEntries(given))) setTyped({ kind: faultTypes[0] });
  };
  const text = (name: string) => ({
    value: value(name),
    autocomplete: "off",
    spellcheck: false,
    onInput: change(name),
  });
  return (
    <form
      class="form card"
      aria-labelledby="faults-add"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field label="Type" hint={faultTexts[kind]} wide>
        {(attributes) => (
          <select {...attributes} value={kind} onChange={change("kind")}>
            {faultTypes.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {kind === "delay" ? (
        <Field label="Delay (ms)">
          {(attributes) => <input {...attributes} type="number" min="0" required {...text("delay_ms")} />}
        </Field>
      ) : null}
      <Field label="Operation" hint="such as contacts.create; empty for any operation">
        {(attributes) => <input {...attributes} list="operations" {...text("operation")} />}
      </Field>
      <Field label="Path" hint="* matches within a segment, ** across segments">
        {(attributes) => <input {...attributes} {...text("path")} />}
      </Field>
      <Field label="Key">
        {(attributes) => (
          <select {...attributes} value={value("key_id")} onChange={change("key_id")}>
            <option value="">any key</option>
            {api.keys().map(({ id, name, kind: keyKind }) => (
              <option key={id} value={id}>
                {name} ({keyKind})
              </option>
            ))}
          </select>
        )}
      </Field>
      {numbers.map(({ name, label, ...more }) => (
        <Field key={name} label={label} hint={"hint" in more ? more.hint : undefined}>
          {(attributes) => <input {...attributes} type="number" min="0" step="any" {...text(name)} />}
        </Field>
      ))}
      <datalist id="operations">
        {operations.map((row) => (
          <option key={`${row["name"]}`} value={String(row["name"])} />
        ))}
      </datalist>
      <div class="row wide">
        <button type="submit" class="primary">
          Add fault
        </button>
      </div>
    </form>
  );
}
