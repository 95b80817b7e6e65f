import { useApp } from "../context.js";
import { formatCount } from "../format.js";
import { useClock, useLive } from "../live.js";
import { number, type Row, rowsOf, text } from "../rows.js";

const days = 28;
const dayMilliseconds = 86_400_000;

interface Bar {
  name: string;
  calls: number;
}

export function Chart({ organization, assistant }: { organization: string; assistant: string }) {
  const { control } = useApp();
  const { now } = useClock();
  // Update the counts every minute of the emulator's clock.
  const minute = now.slice(0, 16);
  const { data = [] } = useLive(
    async () =>
      rowsOf(
        await control.get(
          `/call-counts?days=${days}&organization_id=${organization}${assistant && `&assistant_id=${assistant}`}`,
        ),
      ),
    [organization, assistant, minute],
    { live: false },
  );
  if (now === "") return null;
  return (
    <div class="halves">
      <Bars title={`Calls by day, last ${days} days`} bars={byDay(data, now)} on="on" />
      <Bars title="Calls by hour of the day (UTC)" bars={byHour(data, now)} on="at" />
    </div>
  );
}

function byDay(rows: readonly Row[], now: string): Bar[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const day = text(row, "hour").slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + number(row, "calls"));
  }
  const today = Date.parse(now.slice(0, 10));
  return Array.from({ length: days }, (_, index) => {
    const name = new Date(today - (days - 1 - index) * dayMilliseconds).toISOString().slice(0, 10);
    return { name, calls: counts.get(name) ?? 0 };
  });
}

function firstDay(now: string): string {
  return new Date(Date.parse(now.slice(0, 10)) - (days - 1) * dayMilliseconds).toISOString().slice(0, 10);
}

function byHour(all: readonly Row[], now: string): Bar[] {
  // The charts omit the first day, because the data covers only a part of that day.
  const rows = all.filter((row) => text(row, "hour") >= firstDay(now));
  return Array.from({ length: 24 }, (_, hour) => {
    const name = String(hour).padStart(2, "0");
    const own = rows.filter((row) => text(row, "hour").slice(11, 13) === name);
    return { name: `${name}:00`, calls: own.reduce((sum, row) => sum + number(row, "calls"), 0) };
  });
}

const height = 60;
const step = 10;

function Bars({ title, bars, on }: { title: string; bars: readonly Bar[]; on: "on" | "at" }) {
  const most = Math.max(1, ...bars.map(({ calls }) => calls));
  const peak = bars.find(({ calls }) => calls === most);
  const total = bars.reduce((sum, { calls }) => sum + calls, 0);
  const caption =
    peak && total > 0 ? `${formatCount(total, "call")}, peak ${most} ${on} ${peak.name}` : "no calls";
  return (
    <figure>
      <figcaption>
        <strong>{title}</strong> <span class="faint">{caption}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${bars.length * step} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        class="bars"
      >
        {bars.map(({ name, calls }, index) => {
          const size = Math.max(calls === 0 ? 1 : 3, (calls / most) * height);
          return (
            <rect
              key={name}
              x={index * step + 1}
              y={height - size}
              width={step - 2}
              height={size}
              class={calls === 0 ? "none" : undefined}
            >
              <title>{`${name}: ${calls}`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="line faint" aria-hidden="true">
        <span>{bars[0]?.name}</span>
        <span>{bars[Math.floor(bars.length / 2)]?.name}</span>
        <span>{bars.at(-1)?.name}</span>
      </div>
      <details>
        <summary>Show as table</summary>
        <ul>
          {bars.map(({ name, calls }) => (
            <li key={name}>
              {name}: {calls}
            </li>
          ))}
        </ul>
      </details>
    </figure>
  );
}
