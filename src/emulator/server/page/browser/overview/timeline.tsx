import { useEffect, useState } from "preact/hooks";
import { useClockMove } from "../clock-move.js";
import { useApp } from "../context.js";
import { formatCount, toMilliseconds } from "../format.js";
import { usePicked } from "../key.js";
import { useClock, useLive } from "../live.js";
import { Time } from "../parts/basics.js";
import { go } from "../route.js";
import { type Lane, readLanes } from "./events.js";
import { buildMarks, findPosition, type Mark, ticks } from "./marks.js";

/** The scale is logarithmic, so that both seconds and weeks are legible. */
export function Timeline() {
  const { control } = useApp();
  const { now } = useClock();
  const organization = usePicked()?.organizationId ?? "";
  const { data } = useLive(() => readLanes(control, organization), [organization]);
  const [chosen, setChosen] = useState<Mark | undefined>(undefined);
  const move = useClockMove();
  const open = (mark: Mark) => {
    const [event] = mark.events;
    setChosen(mark.events.length > 1 ? mark : undefined);
    if (mark.events.length !== 1 || event === undefined) return;
    if (event.href === undefined) void move({ set: event.at });
    else go(event.href);
  };
  return (
    <section aria-labelledby="timeline-heading" class="card timeline">
      <h3 id="timeline-heading">Timeline</h3>
      <div>
        <div class="lane faint" aria-hidden="true">
          {ticks.map(({ label, seconds, isMajor }) => (
            <span
              key={label}
              class={isMajor ? undefined : "extra"}
              style={{ left: `${findPosition(seconds)}%` }}
            >
              {label}
            </span>
          ))}
        </div>
        {now === ""
          ? null
          : (data ?? []).map((lane) => <Marks key={lane.name} lane={lane} now={now} open={open} />)}
      </div>
      <div aria-live="polite">{chosen ? <Chosen mark={chosen} /> : null}</div>
    </section>
  );
}

/**
 * Width of a mark, as a percentage of the axis. The past takes up 66% of the axis. This is a multiple of each
 * width, so that no mark covers both past and future.
 */
const markWidth = { wide: 4.4, narrow: 11 };

/** The style sheet uses the same width. */
function useNarrow(): boolean {
  const [query] = useState(() => matchMedia("(max-width: 60rem)"));
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const follow = () => setNarrow(query.matches);
    // The width might have changed since the first rendering.
    follow();
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, [query]);
  return isNarrow;
}

/** The Tab key stops only once in a lane, because the arrow keys move between the marks. */
function Marks({ lane, now, open }: { lane: Lane; now: string; open: (mark: Mark) => void }) {
  const width = useNarrow() ? markWidth.narrow : markWidth.wide;
  const marks = buildMarks(lane.events, toMilliseconds(now), width);
  const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form
    <div role="group" aria-label={lane.name} class="lane">
      <span class="label">{lane.name}</span>
      {marks.map((mark, index) => (
        <button
          key={`${mark.left}`}
          type="button"
          class={`mark ${mark.tone}`}
          tabIndex={index === marks.length - 1 ? 0 : -1}
          style={{ left: `${mark.left}%` }}
          title={mark.label}
          aria-label={mark.label}
          onClick={() => open(mark)}
          onKeyDown={(event) => {
            const step = steps[event.key];
            const all = event.currentTarget.parentElement?.querySelectorAll("button");
            if (step !== undefined) all?.[index + step]?.focus();
          }}
        >
          {mark.events.length}
        </button>
      ))}
    </div>
  );
}

const shownAtMost = 12;

function Chosen({ mark }: { mark: Mark }) {
  const remaining = mark.events.length - shownAtMost;
  return (
    <ul class="chosen">
      {mark.events.slice(0, shownAtMost).map((event) => (
        <li key={`${event.href} ${event.at} ${event.title}`}>
          <span class="faint">
            <Time iso={event.at} />
          </span>{" "}
          {event.href === undefined ? event.title : <a href={event.href}>{event.title}</a>}
        </li>
      ))}
      {remaining > 0 ? <li class="faint">and {formatCount(remaining, "more event")}</li> : null}
    </ul>
  );
}
