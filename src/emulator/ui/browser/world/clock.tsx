import { useRef, useState } from "preact/hooks";
import { useApp } from "../context.js";
import { ahead } from "../format.js";
import { useClock, useLive } from "../live.js";
import { Button, Field, Nothing, Time } from "../parts/basics.js";
import { rowOf, rowsOf, text } from "../rows.js";

const steps = [
  { label: "1 min", name: "Advance by 1 minute", seconds: 60 },
  { label: "1 h", name: "Advance by 1 hour", seconds: 3_600 },
  { label: "1 day", name: "Advance by 1 day", seconds: 86_400 },
];

/** Events of the clock as people say them; others are told by their words. */
const sentences: Readonly<Record<string, string>> = {
  indexing_starts: "the indexing of a knowledge item starts",
  indexing_ends: "the indexing of a knowledge item ends",
  rating_ends: "the rating of a prompt ends",
  call_rings: "a call rings",
  call_answered: "a call is answered",
  call_ends: "a call ends",
  recording_ready: "a recording is ready",
  cooldown_ends: "the cooldown of an assistant ends",
  limit_window_ends: "the window of a limit ends",
  key_expires: "a key expires",
  fault_expires: "a fault expires",
  number_becomes_free: "a phone number becomes free",
};

/** The world's time with what moves it, and what is due. */
export function Clock() {
  const { control, pulse, attempt, tell, confirm } = useApp();
  const { now, isVirtual } = useClock();
  const [typed, setTyped] = useState("");
  const mayMove = useRef(false);
  const due = useLive(async () => rowsOf(await control.get("/clock/due")), []);

  const change = (body: object) =>
    attempt(async () => {
      const clock = rowOf(await control.send("PATCH", "/clock", body));
      tell(
        `The clock is at ${text(clock, "now")} and ${text(clock, "mode") === "virtual" ? "frozen" : "running"}.`,
      );
      await pulse.beat();
    });
  /** Time only moves forward: asked once while the page is looked at, and not with every minute. */
  const move = async (body: object) => {
    const text =
      "Time never goes back; only a snapshot that was taken before brings it back. This is asked once.";
    mayMove.current ||= await confirm({ title: "Move the clock?", text, action: "Move it" });
    if (mayMove.current) await change(body);
  };
  return (
    <section aria-labelledby="clock-heading" class="panel">
      <h3 id="clock-heading">Clock</h3>
      <p>
        <strong class="reading">
          <Time iso={now} /> UTC
        </strong>{" "}
        {isVirtual ? "frozen (virtual)" : "running (real)"}
      </p>
      <div class="buttons">
        {steps.map(({ label, name, seconds }) => (
          <Button key={label} label={name} act={() => move({ advance_seconds: seconds })}>
            + {label}
          </Button>
        ))}
        <Button act={() => change({ mode: isVirtual ? "real" : "virtual" })}>
          {isVirtual ? "Let it run" : "Freeze"}
        </Button>
      </div>
      <form
        class="tools"
        aria-label="Set the clock"
        onSubmit={(event) => {
          event.preventDefault();
          void move({ set: new Date(`${typed || now.slice(0, 19)}Z`).toISOString() });
        }}
      >
        <Field label="Set to, UTC">
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
      <h4>What is due</h4>
      {(due.data ?? []).length === 0 ? (
        <Nothing error={due.error} reading={due.data === undefined}>
          Nothing happens by itself.
        </Nothing>
      ) : (
        <ul class="due">
          {due.data?.map((row) => {
            const at = text(row, "at");
            const event = text(row, "event");
            const said = sentences[event] ?? event.replaceAll("_", " ");
            return (
              <li key={event}>
                <span>
                  <Time iso={at} /> <span class="kind">{ahead(now, at)}</span>
                  <br />
                  {said}
                </span>
                <Button label={`Jump to when ${said}`} act={() => move({ set: at })}>
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
