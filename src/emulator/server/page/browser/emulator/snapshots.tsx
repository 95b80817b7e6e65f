import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Button, Nothing, Time } from "../parts/basics.js";
import { NameForm } from "../parts/name-form.js";
import { Table } from "../parts/table.js";
import { rowOf, rowsOf, text } from "../rows.js";

export const keepFirst = "Create a snapshot of the current state first";

export function Snapshots() {
  const { control, attempt, notify, confirm, pulse } = useApp();
  const { data, error, reload } = useLive(async () => rowsOf(await control.get("/snapshots")), []);
  const take = (named: { name?: string }) =>
    attempt(async () => {
      const made = rowOf(await control.send("POST", "/snapshots", named));
      notify(`Created snapshot ${text(made, "name")}.`);
      await reload();
    });
  const restore = async (chosen: string) => {
    const warning = "All later changes and log entries will be lost, and the clock will be set back.";
    const consent = await confirm({
      title: `Restore ${chosen}?`,
      text: warning,
      action: "Restore",
      isDestructive: true,
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
    if (
      !(await confirm({
        title: `Delete snapshot ${chosen}?`,
        text: warning,
        action: "Delete",
        isDestructive: true,
      }))
    )
      return;
    await attempt(async () => {
      await control.send("DELETE", `/snapshots/${encodeURIComponent(chosen)}`);
      await reload();
    });
  };
  return (
    <section aria-labelledby="snapshots-heading">
      <h3 id="snapshots-heading" class="hidden">
        Snapshots
      </h3>
      <div class="tools row">
        <NameForm noun="snapshot" create={take} />
        <Import taken={(data ?? []).map((row) => text(row, "name"))} kept={reload} />
      </div>
      {(data ?? []).length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          <p>
            No snapshots yet. A snapshot contains the whole state of the emulator, so that you can return to
            it.
          </p>
        </Nothing>
      ) : (
        <Table
          caption="List of snapshots"
          columns={[
            { name: "Name", as: "wide" },
            { name: "Created", as: "extra" },
            { name: "Actions", as: "hidden" },
          ]}
        >
          {data?.map((row) => {
            const own = text(row, "name");
            return (
              <tr key={own}>
                <th scope="row" class="wide">
                  {own}
                </th>
                <td class="extra">
                  <Time iso={text(row, "taken_at")} />
                </td>
                <td class="actions">
                  <Button label={`Restore ${own}`} act={() => restore(own)}>
                    Restore
                  </Button>
                  <Export name={own} />
                  <Button variant="quiet destructive" label={`Delete ${own}`} act={() => remove(own)}>
                    Delete
                  </Button>
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </section>
  );
}

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
      // Release the URL after a delay, because the browser needs the URL to save the file.
      setTimeout(() => URL.revokeObjectURL(url), downloadMilliseconds);
      notify(`Exported snapshot ${name} without keys and secrets.`);
    });
  return (
    <Button variant="quiet" label={`Export ${name}`} act={save}>
      Export
    </Button>
  );
}

const downloadMilliseconds = 60_000;

/**
 * The snapshot gets the name of the file. If a snapshot with that name exists, a number is added to the name.
 */
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
    <label class="button">
      Import snapshot
      <input
        type="file"
        class="hidden"
        accept=".json,application/json"
        onChange={(event) => {
          const field = event.currentTarget;
          const [file] = field.files ?? [];
          if (!file) return;
          void read(file).then(() => {
            // Clear the input, because choosing the same file again would otherwise have no effect.
            field.value = "";
          });
        }}
      />
    </label>
  );
}

function findFreeName(wished: string, taken: readonly string[]): string {
  for (let turn = 1; ; turn += 1) {
    const name = turn === 1 ? wished : `${wished} ${turn}`;
    if (!taken.includes(name)) return name;
  }
}
