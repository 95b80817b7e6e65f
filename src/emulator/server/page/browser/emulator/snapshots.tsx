import { useState } from "preact/hooks";
import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Button, Check, Field, Nothing, Time } from "../parts/basics.js";
import { Choice } from "../parts/choice.js";
import { rowOf, rowsOf, text } from "../rows.js";

const seeds = [
  { value: "empty", label: "empty organization" },
  { value: "demo", label: "dental practice with four weeks of calls" },
];
const keepFirst = "Create a snapshot of the current state first";

/** The list of snapshots. */
export function Snapshots() {
  const { control, attempt, notify, confirm, pulse } = useApp();
  const [name, setName] = useState("");
  const { data, error, reload } = useLive(async () => rowsOf(await control.get("/snapshots")), []);
  const take = () =>
    attempt(async () => {
      const body = name.trim() === "" ? {} : { name: name.trim() };
      const made = rowOf(await control.send("POST", "/snapshots", body));
      setName("");
      notify(`Created snapshot ${text(made, "name")}.`);
      await reload();
    });
  const restore = async (chosen: string) => {
    const warning = "All later changes and log entries will be lost, and the clock will be set back.";
    const consent = await confirm({
      title: `Restore ${chosen}?`,
      text: warning,
      action: "Restore",
      choice: keepFirst,
    });
    if (!consent) return;
    await attempt(async () => {
      if (consent.choice) await control.send("POST", "/snapshots", {});
      await control.send("POST", `/snapshots/${encodeURIComponent(chosen)}/restore`);
      await pulse.beat();
    });
  };
  const remove = async (chosen: string) => {
    const warning = "The current state will not change.";
    if (!(await confirm({ title: `Delete snapshot ${chosen}?`, text: warning, action: "Delete" }))) return;
    await attempt(async () => {
      await control.send("DELETE", `/snapshots/${encodeURIComponent(chosen)}`);
      await reload();
    });
  };
  return (
    <section aria-labelledby="snapshots-heading" class="panel">
      <h3 id="snapshots-heading">Snapshots</h3>
      <form
        class="tools"
        aria-label="Create snapshot"
        onSubmit={(event) => {
          event.preventDefault();
          void take();
        }}
      >
        <Field label="Name" hint="empty: generated">
          {(attributes) => (
            <input
              {...attributes}
              autocomplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit">Create snapshot</button>
      </form>
      {(data ?? []).length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          No snapshots yet.
        </Nothing>
      ) : (
        <ul class="due">
          {data?.map((row) => {
            const own = text(row, "name");
            return (
              <li key={own}>
                <span>
                  <strong class="break">{own}</strong>
                  <br />
                  <span class="kind">
                    <Time iso={text(row, "taken_at")} />
                  </span>
                </span>
                <span class="buttons">
                  <Button label={`Restore ${own}`} act={() => restore(own)}>
                    Restore…
                  </Button>
                  <Export name={own} />
                  <Button label={`Delete ${own}`} act={() => remove(own)}>
                    Delete…
                  </Button>
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <Import taken={(data ?? []).map((row) => text(row, "name"))} kept={reload} />
    </section>
  );
}

/** Exports a snapshot as a file. Like the command, it omits keys and secrets. */
function Export({ name }: { name: string }) {
  const { control, attempt, notify } = useApp();
  const save = () =>
    attempt(async () => {
      const data = await control.get(`/snapshots/${encodeURIComponent(name)}`);
      const url = URL.createObjectURL(new Blob([`${JSON.stringify(data)}\n`], { type: "application/json" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80)}.json`;
      link.click();
      // By then, the browser has read the file.
      setTimeout(() => URL.revokeObjectURL(url), downloadMilliseconds);
      notify(`Exported snapshot ${name} without keys and secrets.`);
    });
  return (
    <Button label={`Export ${name}`} act={save}>
      Export
    </Button>
  );
}

const downloadMilliseconds = 60_000;

/** Imports a snapshot from a file. Its name is the file's name, or a name that is not in use. */
function Import({ taken, kept }: { taken: readonly string[]; kept: () => Promise<void> }) {
  const { control, attempt, notify } = useApp();
  const read = (file: File) =>
    attempt(async () => {
      const body: unknown = await file
        .text()
        .then(JSON.parse)
        .catch(() => {
          throw new Error(`${file.name} is not a snapshot because it is invalid JSON.`);
        });
      const wished = file.name.replace(/\.json$/i, "") || "imported";
      const name = findFreeName(wished, taken);
      await control.send("PUT", `/snapshots/${encodeURIComponent(name)}`, body);
      notify(`Imported snapshot ${name}. To use the snapshot, restore it.`);
      await kept();
    });
  return (
    <Field label="Import snapshot" hint="file from Export or `voxctl emulator snapshots export`">
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          accept=".json,application/json"
          onChange={(event) => {
            const field = event.currentTarget;
            const [file] = field.files ?? [];
            if (!file) return;
            void read(file).then(() => {
              // Allow the user to choose the same file again.
              field.value = "";
            });
          }}
        />
      )}
    </Field>
  );
}

function findFreeName(wished: string, taken: readonly string[]): string {
  for (let turn = 1; ; turn += 1) {
    const name = turn === 1 ? wished : `${wished} ${turn}`;
    if (!taken.includes(name)) return name;
  }
}

/** A form that resets the emulator. */
export function Reset() {
  const { control, attempt, confirm, pulse } = useApp();
  const [seed, setSeed] = useState("empty");
  const [newKeys, setNewKeys] = useState(false);
  const reset = async () => {
    const text = "All data will be lost, except the snapshots, the clock and the seeded keys.";
    const consent = await confirm({ title: "Reset the emulator?", text, action: "Reset", choice: keepFirst });
    if (!consent) return;
    await attempt(async () => {
      if (consent.choice) await control.send("POST", "/snapshots", {});
      await control.send("POST", "/reset", { seed, new_keys: newKeys });
      await pulse.beat();
    });
  };
  return (
    <section aria-labelledby="reset-heading" class="panel">
      <h3 id="reset-heading">Reset</h3>
      <div class="tools">
        <Choice label="Initial data" value={seed} of={seeds} changed={setSeed} />
        <Check label="New keys" on={newKeys} changed={setNewKeys} />
        <Button variant="danger" act={reset}>
          Reset…
        </Button>
      </div>
    </section>
  );
}
