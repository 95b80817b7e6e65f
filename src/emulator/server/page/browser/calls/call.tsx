import { useEffect, useState } from "preact/hooks";
import { useClockMove } from "../clock-move.js";
import { useApp } from "../context.js";
import { formatClockTime, formatMoment } from "../format.js";
import { useClock, useLive } from "../live.js";
import { Box, Button, Copy, Facts, Heading, Nothing, Time } from "../parts/basics.js";
import { Exchange } from "../parts/exchange.js";
import { formatHref } from "../route.js";
import { number, type Row, rowOf, rowsOf, text } from "../rows.js";
import { Course } from "./course.js";
import { Dialogue } from "./dialogue.js";
import { Player } from "./player.js";
import { CallStatus, Direction } from "./status.js";

export function Call({ id }: { id: string }) {
  const { control, pulse } = useApp();
  const { data, error, reload } = useLive(
    async () => rowOf(await control.get(`/calls/${encodeURIComponent(id)}`)),
    [id],
  );
  const [position, setPosition] = useState(0);
  const [seek, setSeek] = useState<{ to: number } | undefined>(undefined);
  const call = rowOf(data?.["call"]);
  const isOver = call["ended_at"] !== null;
  // The emulator doesn't report new utterances, so read the call every second.
  const isUnderWay = data !== undefined && !isOver;
  useEffect(
    () => (isUnderWay ? pulse.subscribeTicks(() => void reload()) : undefined),
    [isUnderWay, pulse, reload],
  );
  const recording = rowOf(call["recording"]);
  const webhook = data?.["webhook"];
  return (
    <article aria-labelledby="call-heading">
      <a class="faint" href="#calls">
        ← All calls
      </a>
      <div class="head row">
        <Heading id="call-heading">
          {data ? `${text(call, "from") || "?"} → ${text(call, "to") || "?"}` : "Call"}
        </Heading>
        {data ? (
          <>
            <CallStatus row={call} />
            <Direction row={call} />
            <Copy text={location.href}>Copy link</Copy>
          </>
        ) : null}
      </div>
      {data ? (
        <>
          <Course call={call} course={rowOf(data["course"])} />
          {isOver ? null : <Onwards />}
          <div class="halves">
            <div>
              <section aria-labelledby="dialogue">
                <h3 id="dialogue">Dialogue</h3>
                <Dialogue
                  utterances={rowsOf(call["transcript"])}
                  isOver={isOver}
                  position={position}
                  seek={recording["available"] === true ? (to) => setSeek({ to }) : undefined}
                />
              </section>
              <section aria-labelledby="analyses">
                <h3 id="analyses">Analyses</h3>
                <Analyses of={rowsOf(call["analyses"])} isOver={isOver} />
                <Notes of={rowsOf(call["notes"])} />
              </section>
            </div>
            <div>
              <section aria-labelledby="recording">
                <h3 id="recording">Recording</h3>
                {recording["available"] === true ? (
                  <Player id={id} seek={seek} moved={setPosition} utterances={rowsOf(call["transcript"])} />
                ) : (
                  <p class="faint">
                    {isOver
                      ? "No recording is available: the call has none, or the recording is still being processed or was erased."
                      : "Available after the call has ended."}
                  </p>
                )}
              </section>
              <section aria-labelledby="facts">
                <h3 id="facts">Details</h3>
                <FactsOf call={call} shown={data} />
              </section>
              <section aria-labelledby="webhook">
                <h3 id="webhook">Pre-call webhook</h3>
                {webhook ? (
                  <Exchange exchange={rowOf(webhook)} />
                ) : (
                  <p class="faint">No webhook was called.</p>
                )}
              </section>
              <section aria-labelledby="prompt">
                <h3 id="prompt">Rendered prompt</h3>
                {text(data, "prompt") === "" ? (
                  <p class="faint">Shown only for incoming calls with a prompt.</p>
                ) : (
                  <Box label="Prompt">{text(data, "prompt")}</Box>
                )}
              </section>
            </div>
          </div>
        </>
      ) : (
        <Nothing error={error} reading />
      )}
    </article>
  );
}

function FactsOf({ call, shown }: { call: Row; shown: Row }) {
  const assistant = text(call, "assistant_id");
  const seconds = call["duration_seconds"];
  return (
    <Facts
      of={[
        ["ID", <code key="id">{text(call, "id")}</code>],
        [
          "Assistant",
          <a key="assistant" href={formatHref("resources", ["assistants", assistant])}>
            {text(shown, "assistant_name") || assistant}
          </a>,
        ],
        ["Created", formatMoment(text(call, "created_at"))],
        ["Started", formatMoment(text(call, "started_at"))],
        ["Ended", formatMoment(text(call, "ended_at"))],
        ["Duration", typeof seconds === "number" ? formatClockTime(number(call, "duration_seconds")) : ""],
        ["Details", text(call, "details")],
      ]}
    />
  );
}

/** Lets the user move a frozen clock, because the call can't continue while the clock is frozen. */
function Onwards() {
  const { isVirtual } = useClock();
  const move = useClockMove();
  if (!isVirtual) return <p class="notice">In progress. This page updates as the call continues.</p>;
  return (
    <div class="notice row">
      <span>The call is in progress, but the clock is frozen.</span>
      <Button variant="primary" act={() => move("next")}>
        Next event
      </Button>
      <Button act={() => move({ advance_seconds: 5 })}>Advance by 5 s</Button>
      <Button act={() => move("run")}>Run in real time…</Button>
    </div>
  );
}

function Analyses({ of, isOver }: { of: readonly Row[]; isOver: boolean }) {
  if (of.length === 0)
    return <p class="faint">{isOver ? "No results." : "Results will appear after the call has ended."}</p>;
  return (
    <Facts
      of={of.map(
        (analysis) => [text(analysis, "name").replaceAll("_", " "), text(analysis, "value")] as const,
      )}
    />
  );
}

function Notes({ of }: { of: readonly Row[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>Notes</h3>
      <ul>
        {of.map((note) => (
          <li key={JSON.stringify(note)}>
            {text(note, "text")}{" "}
            <span class="faint">
              {text(note, "author")}, <Time iso={text(note, "created_at")} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
