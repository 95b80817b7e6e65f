import { useState } from "preact/hooks";
import { clockEventText } from "../../../../../contract/control/clock-events.js";
import { useClockMove } from "../clock-move.js";
import { useApp } from "../context.js";
import { formatAhead } from "../format.js";
import { useClock, useLive } from "../live.js";
import { Button, Field, Nothing, Time } from "../parts/basics.js";
import { number, rowsOf, text } from "../rows.js";

const steps = [
  { label: "1 min", name: "Advance by 1 minute", seconds: 60 },
  { label: "1 h", name: "Advance by 1 hour", seconds: 3_600 },
  { label: "1 day", name: "Advance by 1 day", seconds: 86_400 },
];

/** The emulator's time, controls that move the clock, and the scheduled events. */
export function Clock() {
  const { control, pulse, attempt, notify } = useApp();
  const { now, isVirtual } = useClock();
  const [typed, setTyped] = useState("");
  const due = useLive(async () => rowsOf(await control.get("/clock/due")), []);
  const move = useClockMove();
  const freeze = () =>
    attempt(async () => {
      await control.send("PATCH", "/clock", { mode: "virtual" });
      notify("The clock is frozen.");
      await pulse.beat();
    });
  return (
    <section aria-labelledby="clock-heading" class="panel">
      <h3 id="clock-heading">Clock</h3>
      <p>
        <strong class="reading">
          <Time iso={now} /> UTC
        </strong>{" "}
        <span class={isVirtual ? "chip" : "chip runs"}>
          {isVirtual ? "frozen (virtual)" : "running (real)"}
        </span>
      </p>
      <div class="buttons">
        {steps.map(({ label, name, seconds }) => (
          <Button key={label} label={name} act={() => move({ advance_seconds: seconds })}>
            + {label}
          </Button>
        ))}
        {isVirtual ? (
          <Button act={() => move("run")}>Run in real time…</Button>
        ) : (
          <Button act={freeze}>Freeze</Button>
        )}
      </div>
      <form
        class="tools"
        aria-label="Set the clock"
        onSubmit={(event) => {
          event.preventDefault();
          void move({ set: new Date(`${typed || now.slice(0, 19)}Z`).toISOString() });
        }}
      >
        <Field label="Time (UTC)">
          {(attributes) => (
            <input
              {...attributes}
              type="datetime-local"
              step="1"
              required
              min={now.slice(0, 19)}
              value={typed || now.slice(0, 19)}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit">Set</button>
      </form>
      <h4>Scheduled events</h4>
      {(due.data ?? []).length === 0 ? (
        <Nothing error={due.error} reading={due.data === undefined}>
          No events are scheduled.
        </Nothing>
      ) : (
        <ul class="due">
          {due.data?.map((row) => {
            const at = text(row, "at");
            const event = text(row, "event");
            const eventText = clockEventText(event);
            const count = number(row, "count");
            return (
              <li key={event}>
                <span>
                  <Time iso={at} /> <span class="kind">{formatAhead(now, at)}</span>
                  <br />
                  {eventText}
                  {count > 1 ? <span class="kind">, and {count - 1} more of this type</span> : null}
                </span>
                <Button label={`Jump to: ${eventText}`} act={() => move({ set: at })}>
                  Jump
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
