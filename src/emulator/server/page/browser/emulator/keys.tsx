import { useState } from "preact/hooks";
import { keyTypes, roles } from "../../../../../contract/control/choices.js";
import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Button, Copy, Nothing, Pill, Time } from "../parts/basics.js";
import { Choice } from "../parts/choice.js";
import { NameForm } from "../parts/name-form.js";
import { Table } from "../parts/table.js";
import { type Row, rowOf, rowsOf, text } from "../rows.js";

/** The "Raw" tab shows all keys. */
const shownAtMost = 200;

export function Keys() {
  const { control, api } = useApp();
  const { data, error, reload } = useLive(async () => rowsOf(await control.get("/keys")), [], {
    live: false,
  });
  const changed = async () => {
    await Promise.all([reload(), api.readKeys()]);
  };
  return (
    <section aria-labelledby="keys-heading">
      <h3 id="keys-heading" class="hidden">
        Keys
      </h3>
      <NewKey changed={changed} />
      {data === undefined ? (
        <Nothing error={error} reading />
      ) : (
        <Table
          caption="List of keys"
          columns={[
            { name: "Name", as: "wide" },
            { name: "Type", as: "extra" },
            { name: "Role", as: "extra" },
            "Status",
            { name: "Expires", as: "extra" },
            { name: "Actions", as: "hidden" },
          ]}
        >
          {data.slice(0, shownAtMost).map((row) => (
            <KeyLine key={text(row, "id")} row={row} changed={changed} />
          ))}
        </Table>
      )}
      {(data ?? []).length > shownAtMost ? (
        <p class="faint">and {(data ?? []).length - shownAtMost} more; see Raw</p>
      ) : null}
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
    if (
      !(await confirm({ title: `Delete key ${name}?`, text: warning, action: "Delete", isDestructive: true }))
    )
      return;
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
      try {
        await navigator.clipboard.writeText(known);
        notify(`Copied key ${name}.`);
      } catch {
        // The browser blocks copying, for example because the page is not from this machine.
        setValue(known);
        notify(`The browser blocked copying. Copy key ${name} manually.`);
      }
    });
  return (
    <tr>
      <th scope="row" class="wide">
        {name}
        {value ? <code class="break"> {value}</code> : null}
      </th>
      <td class="extra">{text(row, "kind")}</td>
      <td class="extra">{text(row, "role")}</td>
      <td>
        <Pill tone={isActive ? "good" : "warning"}>{text(row, "status")}</Pill>
      </td>
      <td class="extra">
        <Time iso={text(row, "expires_at")} />
      </td>
      <td class="actions">
        <Button variant="quiet" label={`Copy key ${name}`} act={copy}>
          Copy
        </Button>
        <Button
          variant={isActive ? "quiet destructive" : "quiet"}
          label={`${isActive ? "Revoke" : "Activate"} key ${name}`}
          act={() => change(isActive ? "revoked" : "active")}
        >
          {isActive ? "Revoke" : "Activate"}
        </Button>
        <Button variant="quiet destructive" label={`Delete key ${name}`} act={remove}>
          Delete
        </Button>
      </td>
    </tr>
  );
}

function NewKey({ changed }: { changed: () => Promise<void> }) {
  const { control, api, attempt } = useApp();
  const [kind, setKind] = useState<string>("public");
  const [role, setRole] = useState<string>("admin");
  const hasRole = kind !== "distributor";
  const [made, setMade] = useState<{ name: string; value: string } | undefined>(undefined);
  const make = (named: { name?: string }) =>
    attempt(async () => {
      const body = { kind, ...(hasRole ? { role } : {}), ...named };
      const key = rowOf(await control.send("POST", "/keys", body));
      const value = text(key, "key");
      api.remember(text(key, "id"), value);
      setMade({ name: text(key, "name"), value });
      await changed();
    });
  return (
    <>
      <div class="tools row">
        <NameForm noun="key" create={make}>
          <Choice label="Type" value={kind} of={keyTypes} changed={setKind} />
          {hasRole ? <Choice label="Role" value={role} of={roles} changed={setRole} /> : null}
        </NameForm>
      </div>
      {made ? (
        <p role="status">
          {made.name}: <code class="break">{made.value}</code>{" "}
          <Copy text={made.value} label={`Copy the value of ${made.name}`}>
            Copy
          </Copy>
          <br />
          <span class="faint">Copy the value now. It won't be shown again.</span>
        </p>
      ) : null}
    </>
  );
}
