import { useState } from "preact/hooks";
import { useApp } from "../context.js";
import { Button, Check } from "../parts/basics.js";
import { Choice } from "../parts/choice.js";
import { keepFirst } from "./snapshots.js";

const seeds = [
  { value: "empty", label: "empty organization" },
  { value: "demo", label: "dental practice with four weeks of calls" },
];

export function Reset() {
  const { control, attempt, confirm, pulse } = useApp();
  const [seed, setSeed] = useState("empty");
  const [newKeys, setNewKeys] = useState(false);
  const reset = async () => {
    const text = newKeys
      ? "All data and keys will be lost, except the snapshots and the clock."
      : "All data will be lost, except the snapshots, the clock and the seeded keys.";
    const consent = await confirm({
      title: "Reset the emulator?",
      text,
      action: "Reset",
      choice: keepFirst,
      isDestructive: true,
    });
    if (!consent) return;
    await attempt(async () => {
      if (consent.choice) await control.send("POST", "/snapshots", {});
      await control.send("POST", "/reset", { seed, new_keys: newKeys });
      await pulse.beat();
    });
  };
  return (
    <section aria-labelledby="reset-heading" class="card">
      <h3 id="reset-heading">Reset</h3>
      <p class="faint">Deletes all data of the emulator, except snapshots, and loads the initial data.</p>
      <div class="tools row">
        <Choice label="Initial data" value={seed} of={seeds} changed={setSeed} />
        <Check label="New keys" on={newKeys} changed={setNewKeys} />
        <Button variant="destructive" act={reset}>
          Reset…
        </Button>
      </div>
    </section>
  );
}
