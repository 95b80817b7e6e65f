import { button, fill, h } from "./dom.js";
import { moment, time } from "./format.js";
import { type Row, rowOf, text } from "./rows.js";
import type { Surroundings } from "./view.js";

const steps = [
  { label: "1 min", name: "Advance by 1 minute", seconds: 60 },
  { label: "1 h", name: "Advance by 1 hour", seconds: 3_600 },
  { label: "1 day", name: "Advance by 1 day", seconds: 86_400 },
];

/** The world's time with what moves it, in the page's head. */
export function createClock(
  place: HTMLElement,
  { control, tell, attempt }: Surroundings,
  moved: () => Promise<void>,
): { refresh(): Promise<void> } {
  const reading = h("p", { class: "reading" });
  const mode = button("", () => change({ mode: isVirtual ? "real" : "virtual" }));
  let isVirtual = false;
  let shown = "";

  function show(clock: Row): void {
    const now = text(clock, "now");
    isVirtual = text(clock, "mode") === "virtual";
    const state = `${moment(now)} ${isVirtual}`;
    if (state === shown) return;
    shown = state;
    fill(reading, time(now), " UTC, ", isVirtual ? "frozen (virtual)" : "running (real)");
    fill(mode, isVirtual ? "Let it run" : "Freeze");
  }

  const change = (body: Row) =>
    attempt(async () => {
      const before = text(rowOf(await control.get("/clock")), "now");
      const clock = rowOf(await control.send("PATCH", "/clock", body));
      show(clock);
      const now = `The clock is at ${moment(text(clock, "now"))} UTC`;
      tell(
        "mode" in body
          ? `${now} and ${isVirtual ? "frozen" : "running"}.`
          : "next" in body && isVirtual && before === text(clock, "now")
            ? `Nothing is due. ${now}.`
            : `${now}.`,
      );
      await moved();
    });

  place.append(
    reading,
    h(
      "div",
      { class: "buttons" },
      ...steps.map(({ label, name, seconds }) =>
        button(`+ ${label}`, () => change({ advance_seconds: seconds }), { "aria-label": name }),
      ),
      button("Next event", () => change({ next: true })),
      mode,
    ),
  );
  return { refresh: async () => show(rowOf(await control.get("/clock"))) };
}
