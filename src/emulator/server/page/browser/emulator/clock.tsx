import { useState } from "preact/hooks";
import { useClockMove } from "../clock-move.js";
import { useApp } from "../context.js";
import { formatMoment } from "../format.js";
import { useClock } from "../live.js";
import { Button, Field, Pill, Time } from "../parts/basics.js";

const steps = [
  { label: "1 min", seconds: 60 },
  { label: "1 h", seconds: 3_600 },
  { label: "1 day", seconds: 86_400 },
];

export function Clock() {
  const { control, pulse, attempt, notify } = useApp();
  const { now, isVirtual } = useClock();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const move = useClockMove();
  const freeze = () =>
    attempt(async () => {
      await control.send("PATCH", "/clock", { mode: "virtual" });
      notify("The clock is frozen.");
      await pulse.beat();
    });
  const set = () =>
    attempt(async () => {
      const time = new Date(`${(typed ?? formatMoment(now)).trim().replace(" ", "T")}Z`);
      if (Number.isNaN(time.getTime()))
        throw new Error("Invalid time: expected a time such as 2026-03-02 09:00:00.");
      setTyped(undefined);
      await move({ set: time.toISOString() });
    });
  return (
    <section aria-labelledby="clock-heading" class="card">
      <h3 id="clock-heading">Clock</h3>
      <p>
        <strong class="reading">
          <Time iso={now} /> UTC
        </strong>{" "}
        <Pill tone={isVirtual ? "neutral" : "good"}>{isVirtual ? "frozen (virtual)" : "running (real)"}</Pill>
      </p>
      <div class="tools row">
        <div class="field">
          <span class="label">Advance by</span>
          <div class="row">
            {steps.map(({ label, seconds }) => (
              <Button
                key={label}
                label={`Advance by ${label}`}
                act={() => move({ advance_seconds: seconds })}
              >
                {label}
              </Button>
            ))}
          </div>
        </div>
        <form
          class="row end"
          aria-label="Set the clock"
          onSubmit={(event) => {
            event.preventDefault();
            void set();
          }}
        >
          <Field label="Time (UTC)">
            {(attributes) => (
              <input
                {...attributes}
                class="code"
                required
                size={20}
                pattern="\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?"
                title="a time such as 2026-03-02 09:00:00"
                autocomplete="off"
                value={typed ?? formatMoment(now)}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            )}
          </Field>
          <button type="submit">Set</button>
        </form>
        {isVirtual ? (
          <Button act={() => move("run")}>Run in real time…</Button>
        ) : (
          <Button act={freeze}>Freeze</Button>
        )}
      </div>
    </section>
  );
}
