import { useState } from "preact/hooks";
import { keyTypes, roles } from "../../../../../contract/control/choices.js";
import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Button, Copy, Field, Nothing, Time } from "../parts/basics.js";
import { Choice } from "../parts/choice.js";
import { type Row, rowOf, rowsOf, text } from "../rows.js";

/** Number of keys to show with controls. The database table contains all keys. */
const shownAtMost = 200;

/** The API keys, with controls to create, copy, revoke and delete keys. */
export function Keys() {
  const { control, api } = useApp();
  const { data, error, reload } = useLive(async () => rowsOf(await control.get("/keys")), [], {
    live: false,
  });
  const changed = async () => {
    await Promise.all([reload(), api.readKeys()]);
  };
  return (
    <section aria-labelledby="keys-heading" class="panel">
      <h3 id="keys-heading">Keys</h3>
      {data === undefined ? (
        <Nothing error={error} reading>
          {""}
        </Nothing>
      ) : (
        <ul class="due">
          {data.slice(0, shownAtMost).map((row) => (
            <KeyLine key={text(row, "id")} row={row} changed={changed} />
          ))}
          {data.length > shownAtMost ? (
            <li class="kind">and {data.length - shownAtMost} more; see Raw</li>
          ) : null}
        </ul>
      )}
      <NewKey changed={changed} />
    </section>
  );
}

function KeyLine({ row, changed }: { row: Row; changed: () => Promise<void> }) {
  const { control, api, attempt, confirm, notify } = useApp();
  const [value, setValue] = useState<string | undefined>(undefined);
  const [id, name] = [text(row, "id"), text(row, "name")];
  const isActive = text(row, "status") === "active";
  const change = (status: string) =>
    attempt(async () => {
      await control.send("PATCH", `/keys/${encodeURIComponent(id)}`, { status });
      await changed();
    });
  const remove = async () => {
    const warning = "Requests with this key will be refused, and its value can't be recovered.";
    if (!(await confirm({ title: `Delete key ${name}?`, text: warning, action: "Delete" }))) return;
    await attempt(async () => {
      await control.send("DELETE", `/keys/${encodeURIComponent(id)}`);
      await changed();
    });
  };
  const copy = () =>
    attempt(async () => {
      const known = await api.keyValue(id);
      if (known === undefined) {
        notify(`The value of ${name} was shown only when the key was created.`);
        return;
      }
      await navigator.clipboard.writeText(known).catch(() => setValue(known));
      notify(`Copied key ${name}.`);
    });
  return (
    <li>
      <span>
        <strong class="break">{name}</strong>{" "}
        <span class={isActive ? "status s2" : "status s4"}>{text(row, "status")}</span>
        <br />
        <span class="kind">
          {[text(row, "kind"), text(row, "role")].filter(Boolean).join(", ")}
          {text(row, "expires_at") === "" ? null : (
            <>
              , until <Time iso={text(row, "expires_at")} />
            </>
          )}
        </span>
        {value ? <code class="break"> {value}</code> : null}
      </span>
      <span class="buttons">
        <Button label={`Copy key ${name}`} act={copy}>
          Copy
        </Button>
        <Button
          label={`${isActive ? "Revoke" : "Activate"} key ${name}`}
          act={() => change(isActive ? "revoked" : "active")}
        >
          {isActive ? "Revoke" : "Activate"}
        </Button>
        <Button label={`Delete key ${name}`} act={remove}>
          Delete…
        </Button>
      </span>
    </li>
  );
}

function NewKey({ changed }: { changed: () => Promise<void> }) {
  const { control, api, attempt } = useApp();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<string>("public");
  const [role, setRole] = useState<string>("admin");
  const [made, setMade] = useState<{ name: string; value: string } | undefined>(undefined);
  const make = () =>
    attempt(async () => {
      const body = { kind, role, ...(name.trim() === "" ? {} : { name: name.trim() }) };
      const key = rowOf(await control.send("POST", "/keys", body));
      const value = text(key, "key");
      api.remember(text(key, "id"), value);
      setMade({ name: text(key, "name"), value });
      setName("");
      await changed();
    });
  return (
    <>
      <form
        class="tools"
        aria-label="Create key"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Field label="Name">
          {(attributes) => (
            <input
              {...attributes}
              autocomplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Choice label="Type" value={kind} of={keyTypes} changed={setKind} />
        <Choice label="Role" value={role} of={roles} changed={setRole} />
        <button type="submit">Create key</button>
      </form>
      {made ? (
        <p role="status">
          {made.name}: <code class="break">{made.value}</code>{" "}
          <Copy text={made.value} label={`Copy the value of ${made.name}`}>
            Copy
          </Copy>
          <br />
          <span class="kind">Copy the value now. It won't be shown again.</span>
        </p>
      ) : null}
    </>
  );
}
