import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../context.js";
import { usePicked } from "../key.js";
import { Icon } from "../parts/icon.js";
import { go } from "../route.js";
import type { Tab } from "../tab.js";
import { findTabs, type Match, searchAll } from "./matches.js";

const typingMilliseconds = 200;
const listId = "matches";

export function Search({ tabs }: { tabs: readonly Tab[] }) {
  const [isOpen, setOpen] = useState(false);
  // Use `useLayoutEffect` to listen before the page is shown: in a busy browser, `useEffect` would miss a key
  // press.
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea, dialog *");
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, []);
  return (
    <>
      <button type="button" class="find" aria-keyshortcuts="/" onClick={() => setOpen(true)}>
        <Icon name="search" />
        <span class="truncated">Search</span>
        <kbd class="extra">/</kbd>
      </button>
      {isOpen ? <Dialog tabs={tabs} close={() => setOpen(false)} /> : null}
    </>
  );
}

function Dialog({ tabs, close }: { tabs: readonly Tab[]; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const matches = useMatches(typed, tabs);
  // Open the dialog at once, so that its input gets the next key press.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => setChosen(0), [matches]);
  // Close the dialog, but don't remove it yet: the browser's late close event could close the next dialog.
  const leave = () => dialog.current?.close();
  const open = (match: Match | undefined) => {
    if (match === undefined) return;
    leave();
    go(match.href);
  };
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  return (
    <dialog ref={dialog} class="search" aria-label="Search" onClose={close}>
      <input
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: only an input with a datalist is a combobox
        role="combobox"
        list={undefined}
        aria-label="Search everything"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={matches[chosen] ? `${listId}-${chosen}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Name, number, id, path or API rule"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          const step = steps[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setChosen((chosen + step + matches.length) % Math.max(1, matches.length));
          } else if (event.key === "Enter") open(matches[chosen]);
          // Leave the search: by default, Escape would only clear the input.
          else if (event.key === "Escape") leave();
        }}
      />
      <div id={listId} role="listbox" aria-label="Results">
        {matches.map((match, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses options in the input
          <div
            key={match.href}
            id={`${listId}-${index}`}
            role="option"
            class="check"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => open(match)}
          >
            <Icon name={match.icon} />
            <span class="truncated">{match.title}</span>
            <small class="truncated">{match.about}</small>
          </div>
        ))}
      </div>
      <p class="faint" role="status">
        {matches.length === 0 ? "No results." : ""}
      </p>
    </dialog>
  );
}

function useMatches(typed: string, tabs: readonly Tab[]): readonly Match[] {
  const app = useApp();
  const organization = usePicked()?.organizationId ?? "";
  const [matches, setMatches] = useState<readonly Match[]>(() => findTabs(tabs, ""));
  useEffect(() => {
    const own = findTabs(tabs, typed);
    setMatches(own);
    if (typed.trim().length < 2) return;
    let isCurrent = true;
    const waiting = setTimeout(() => {
      void app.attempt(async () => {
        const others = await searchAll(app, typed.trim(), organization);
        if (isCurrent) setMatches([...own, ...others]);
      });
    }, typingMilliseconds);
    return () => {
      isCurrent = false;
      clearTimeout(waiting);
    };
  }, [typed, organization]);
  return matches;
}
