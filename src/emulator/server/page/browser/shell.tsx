import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useClockMove } from "./clock-move.js";
import { useApp } from "./context.js";
import { useClock, useLive, useNews } from "./live.js";
import { Button, Time } from "./parts/basics.js";
import { rowOf, text } from "./rows.js";

export interface Tab {
  name: string;
  title: string;
}

/** The page's header, with the emulator, its clock and the selected key. */
function Header() {
  const { control } = useApp();
  const clock = useClock();
  const move = useClockMove();
  const { data: status } = useLive(async () => rowOf(await control.get("/status")), [], { live: false });
  return (
    <header>
      <div class="title">
        <h1>Emulator</h1>
        <p class="place" title={status ? text(status, "db") : undefined}>
          {status ? `${getFileName(text(status, "db"))} · v${text(status, "version")}` : ""}
        </p>
      </div>
      <section id="clock" aria-label="Clock">
        <a href="#emulator" class="reading">
          <Time iso={clock.now} /> UTC
        </a>
        <span class={clock.isVirtual ? "chip" : "chip runs"}>{clock.isVirtual ? "frozen" : "running"}</span>
        <Button act={() => move("next")}>Next event</Button>
      </section>
      <KeyPick />
    </header>
  );
}

/** Returns the file name of the database. */
function getFileName(path: string): string {
  return path === ":memory:" ? "in memory" : (path.split(/[\\/]/).at(-1) ?? path);
}

function KeyPick() {
  const { api, attempt } = useApp();
  const [, render] = useState(0);
  useEffect(() => api.subscribe(() => render((turn) => turn + 1)), [api]);
  useEffect(() => void attempt(async () => void (await api.readKeys())), [api]);
  const keys = api.keys().filter(({ kind, status }) => kind === "public" && status === "active");
  return (
    <div class="key">
      <label for="key">Key</label>
      <select
        id="key"
        value={api.picked()?.id ?? ""}
        onChange={(event) => api.pick(event.currentTarget.value)}
      >
        {keys.length === 0 ? <option value="">none</option> : null}
        {keys.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The frame around every view. */
export function Frame(props: {
  tabs: readonly Tab[];
  current: string;
  news: string;
  trouble: string;
  docs: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <Header />
      <nav aria-label="Views" class="tabs">
        <ul>
          {props.tabs.map(({ name, title }) => (
            <li key={name}>
              <a href={`#${name}`} aria-current={name === props.current ? "page" : undefined}>
                {title}
              </a>
              <Badge tab={name} />
            </li>
          ))}
          <li class="away">
            <a href={props.docs}>API documentation</a>
          </li>
        </ul>
      </nav>
      <main id="main" tabIndex={-1}>
        {props.children}
      </main>
      <p id="news" role="status" aria-live="polite">
        {props.news}
      </p>
      <p id="trouble" role="alert">
        {props.trouble}
      </p>
    </>
  );
}

/** The number of unseen entries of a tab. */
function Badge({ tab }: { tab: string }) {
  const { unseenRequests, unseenErrors, callsUnderWay, faults } = useNews();
  const errors = unseenErrors > 0 ? `, ${unseenErrors} refused` : "";
  const badges: Readonly<Record<string, readonly [count: number, said: string, isBad: boolean]>> = {
    calls: [callsUnderWay, "in progress", false],
    requests: [unseenRequests, `new${errors}`, unseenErrors > 0],
    faults: [faults, "set", true],
  };
  const [count, label, isBad] = badges[tab] ?? [0, "", false];
  if (count === 0) return null;
  return (
    <span class={isBad ? "count bad" : "count"} title={`${count} ${label}`}>
      {count > 999 ? "999+" : count}
      <span class="hidden"> {label}</span>
    </span>
  );
}
