import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useClockMove } from "./clock-move.js";
import { useApp } from "./context.js";
import { useClock, useLive, useNews } from "./live.js";
import { Button, Pill, Time } from "./parts/basics.js";
import { Icon } from "./parts/icon.js";
import { resourceTypes } from "./resources/resource-types.js";
import { formatHref } from "./route.js";
import { rowOf, text } from "./rows.js";
import { Search } from "./search/search.js";
import type { Tab } from "./tab.js";

function Header({ tabs }: { tabs: readonly Tab[] }) {
  const clock = useClock();
  const move = useClockMove();
  return (
    <header class="bar row">
      <h1 class="hidden">Emulator</h1>
      <button type="button" class="quiet menu" popovertarget="menu" aria-label="Menu">
        <Icon name="menu" />
      </button>
      <Search tabs={tabs} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form */}
      <div id="clock" class="row" role="group" aria-label="Emulator time">
        <a href="#emulator" class="reading">
          <Time iso={clock.now} /> <span class="extra">UTC</span>
        </a>
        <Pill tone={clock.isVirtual ? "neutral" : "good"}>{clock.isVirtual ? "frozen" : "running"}</Pill>
        <Button label="Next event" act={() => move("next")}>
          <Icon name="next" />
          <span class="extra">Next event</span>
        </Button>
      </div>
      <KeyPick />
    </header>
  );
}

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
    <div class="key row">
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

function Menu({ tabs, current, docs }: { tabs: readonly Tab[]; current: string; docs: string }) {
  const { control, route } = useApp();
  const { data: status } = useLive(async () => rowOf(await control.get("/status")), [], { live: false });
  return (
    <nav id="menu" class="nav" popover="auto" aria-label="Views">
      <strong>Emulator</strong>
      {/* The database can have a long name, so a tooltip shows the full name. */}
      <p class="faint truncated" title={status ? text(status, "db") : undefined}>
        {status ? `${getFileName(text(status, "db"))} · v${text(status, "version")}` : " "}
      </p>
      <ul>
        {tabs.map(({ name, title, isApart }) => (
          <li key={name} class={isApart ? "apart" : undefined}>
            <a href={`#${name}`} aria-current={name === current ? "page" : undefined}>
              <Icon name={name} />
              {title}
            </a>
            <Badge tab={name} />
            {name === "resources" && current === name ? <Types current={route.path[0] ?? ""} /> : null}
          </li>
        ))}
        <li class="apart">
          <a href={docs}>
            <Icon name="docs" />
            API reference
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Types({ current }: { current: string }) {
  const shown = current || resourceTypes[0]?.name;
  const entries = [...resourceTypes, { name: "voices", title: "Voices" }];
  return (
    <ul>
      {entries.map(({ name, title }) => (
        <li key={name}>
          <a href={formatHref("resources", [name])} aria-current={name === shown ? "true" : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Frame(props: {
  tabs: readonly Tab[];
  current: string;
  news: string;
  trouble: string;
  docs: string;
  children: ComponentChildren;
}) {
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <Menu tabs={props.tabs} current={props.current} docs={props.docs} />
      <Header tabs={props.tabs} />
      <main id="main" tabIndex={-1}>
        {props.children}
      </main>
      <p id="news" class="toast notice" role="status" aria-live="polite">
        {props.news}
      </p>
      <p id="trouble" class="toast notice bad" role="alert">
        {props.trouble}
      </p>
    </div>
  );
}

function Badge({ tab }: { tab: string }) {
  const { unseenRequests, unseenErrors, callsUnderWay, faults } = useNews();
  const errors = unseenErrors > 0 ? `, ${unseenErrors} refused` : "";
  const badges: Readonly<Record<string, readonly [count: number, label: string, tone: "accent" | "bad"]>> = {
    calls: [callsUnderWay, "in progress", "accent"],
    requests: [unseenRequests, `new${errors}`, unseenErrors > 0 ? "bad" : "accent"],
    faults: [faults, "active", "bad"],
  };
  const [count, label, tone] = badges[tab] ?? [0, "", "accent"];
  if (count === 0) return null;
  return (
    <span class={`pill ${tone}`} title={`${count} ${label}`}>
      {count > 999 ? "999+" : count}
      <span class="hidden"> {label}</span>
    </span>
  );
}
