import { useState } from "preact/hooks";
import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Button, Check, Field, Nothing, Time } from "../parts/basics.js";
import { rowOf, rowsOf, text } from "../rows.js";

/** States of the world that were kept. */
export function Snapshots() {
  const { control, attempt, tell, confirm, pulse } = useApp();
  const [name, setName] = useState("");
  const { data, error, reload } = useLive(async () => rowsOf(await control.get("/snapshots")), []);
  const take = () =>
    attempt(async () => {
      const body = name.trim() === "" ? {} : { name: name.trim() };
      const made = rowOf(await control.send("POST", "/snapshots", body));
      setName("");
      tell(`The snapshot ${text(made, "name")} is taken.`);
      await reload();
    });
  const restore = async (chosen: string) => {
    const said = "Everything since then is lost: what was made, changed and logged, and the clock goes back.";
    if (!(await confirm({ title: `Restore ${chosen}?`, text: said, action: "Restore" }))) return;
    await attempt(async () => {
      await control.send("POST", `/snapshots/${encodeURIComponent(chosen)}/restore`);
      await pulse.beat();
    });
  };
  const remove = async (chosen: string) => {
    const said = "The world stays as it is; this state of it can't be brought back then.";
    if (!(await confirm({ title: `Delete the snapshot ${chosen}?`, text: said, action: "Delete" }))) return;
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
        aria-label="Take a snapshot"
        onSubmit={(event) => {
          event.preventDefault();
          void take();
        }}
      >
        <Field label="Name" hint="empty for one that is made up">
          {(attributes) => (
            <input
              {...attributes}
              autocomplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit">Take a snapshot</button>
      </form>
      {(data ?? []).length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          None yet.
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
                  <Button label={`Delete ${own}`} act={() => remove(own)}>
                    Delete…
                  </Button>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

/** Begins the world anew. */
export function Reset() {
  const { control, attempt, confirm, pulse } = useApp();
  const [seed, setSeed] = useState("empty");
  const [newKeys, setNewKeys] = useState(false);
  const reset = async () => {
    const text =
      "Everything in the world is lost but its snapshots, its clock and the keys that it began with.";
    if (!(await confirm({ title: "Reset the world?", text, action: "Reset" }))) return;
    await attempt(async () => {
      await control.send("POST", "/reset", { seed, new_keys: newKeys });
      await pulse.beat();
    });
  };
  return (
    <section aria-labelledby="reset-heading" class="panel">
      <h3 id="reset-heading">Reset</h3>
      <div class="tools">
        <Field label="Begin with">
          {(attributes) => (
            <select {...attributes} value={seed} onChange={(event) => setSeed(event.currentTarget.value)}>
              <option value="empty">an empty organization</option>
              <option value="demo">a dental practice with four weeks of calls</option>
            </select>
          )}
        </Field>
        <Check label="New keys" on={newKeys} changed={setNewKeys} />
        <Button kind="danger" act={reset}>
          Reset…
        </Button>
      </div>
    </section>
  );
}
