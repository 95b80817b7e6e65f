import { useClockMove } from "../clock-move.js";
import { formatAhead, toMilliseconds } from "../format.js";
import { useClock } from "../live.js";
import { Button, Time } from "../parts/basics.js";
import { type Row, text } from "../rows.js";

interface Stage {
  title: string;
  at: string;
}

export function Course({ call, course }: { call: Row; course: Row }) {
  const { now } = useClock();
  const move = useClockMove();
  const stages = buildStages(call, course);
  const next = stages.findIndex(({ at }) => toMilliseconds(at) > toMilliseconds(now));
  return (
    <ol class="course" aria-label="Call timeline">
      {stages.map(({ title, at }, index) => {
        const isAhead = next !== -1 && index >= next;
        const isCurrent = index === next - 1;
        return (
          <li key={title} class={isAhead ? "ahead" : undefined} aria-current={isCurrent ? "step" : undefined}>
            <strong>{title}</strong>
            <span class="faint">{isAhead ? formatAhead(now, at) : <Time iso={at} />}</span>
            {index === next ? (
              <Button variant="link" label={`Jump to: ${title}`} act={() => move({ set: at })}>
                Jump
              </Button>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

/** Omits stages that the call doesn't reach, for example because nobody answered. */
function buildStages(call: Row, course: Row): Stage[] {
  const end =
    text(course, "outcome") === "completed" ? "Ended" : text(course, "outcome").replaceAll("_", " ");
  const all: Stage[] = [
    { title: "Created", at: text(call, "created_at") },
    { title: "Ringing", at: text(course, "rings_at") },
    { title: "Answered", at: text(course, "answered_at") },
    { title: end.charAt(0).toUpperCase() + end.slice(1), at: text(course, "ended_at") },
    { title: "Recording ready", at: text(course, "recorded_at") },
    { title: "Recording erased", at: text(course, "erased_at") },
  ];
  return all.filter(({ at }) => at !== "");
}
