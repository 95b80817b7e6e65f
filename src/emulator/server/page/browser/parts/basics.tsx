import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useApp } from "../context.js";
import { formatMoment } from "../format.js";
import { Icon } from "./icon.js";

export function Time({ iso, clock = false }: { iso: string; clock?: boolean }) {
  if (iso === "") return null;
  const whole = formatMoment(iso);
  return (
    <time dateTime={iso} title={`${whole} UTC`}>
      {clock ? (
        whole.slice(11)
      ) : (
        <>
          <span class="extra">{whole.slice(0, 5)}</span>
          {whole.slice(5, 16)}
          <span class="extra">{whole.slice(16)}</span>
        </>
      )}
    </time>
  );
}

export type Tone = "neutral" | "good" | "warning" | "bad" | "accent";

export function Pill({ tone = "neutral", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`pill ${tone}`}>{children}</span>;
}

const statusTones: readonly Tone[] = ["neutral", "neutral", "good", "accent", "warning", "bad"];

export function Status({ status }: { status: number }) {
  return <Pill tone={statusTones[Math.floor(status / 100)] ?? "neutral"}>{status}</Pill>;
}

/** Disabled while its action runs, so that the action can't run twice. */
export function Button(props: {
  children: ComponentChildren;
  act: () => Promise<unknown> | undefined;
  label?: string;
  disabled?: boolean;
  variant?: "primary" | "quiet" | "destructive" | "quiet destructive" | "link" | undefined;
}) {
  const [busy, setBusy] = useState(false);
  const press = () => {
    const work = props.act();
    if (!work) return;
    setBusy(true);
    void work.finally(() => setBusy(false));
  };
  return (
    <button
      type="button"
      class={props.variant}
      aria-label={props.label}
      aria-disabled={busy || undefined}
      disabled={props.disabled}
      onClick={() => busy || press()}
    >
      {props.children}
    </button>
  );
}

export function Field(props: {
  label: string;
  hint?: ComponentChildren;
  link?: ComponentChildren;
  error?: string | undefined;
  wide?: boolean;
  children: (attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => JSX.Element;
}) {
  const id = useId();
  const described = props.hint || props.error;
  return (
    <div class={props.wide ? "field wide" : "field"}>
      <div class="line">
        <label for={id}>{props.label}</label>
        {props.link}
      </div>
      {props.children({
        id,
        ...(described ? { "aria-describedby": `${id}-hint` } : {}),
        ...(props.error ? { "aria-invalid": true as const } : {}),
      })}
      {described ? (
        <small id={`${id}-hint`}>
          {props.error ? <span class="bad">{props.error}</span> : null} {props.hint}
        </small>
      ) : null}
    </div>
  );
}

export function Check(props: { label: string; on: boolean; changed: (on: boolean) => void }) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={props.on}
        onChange={(event) => props.changed(event.currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
    </div>
  );
}

const typingMilliseconds = 250;

export function Search(props: {
  label: string;
  value: string;
  changed: (value: string) => void;
  hint?: string;
}) {
  const [typed, setTyped] = useState(props.value);
  const waiting = useRef<number | undefined>(undefined);
  useEffect(() => setTyped(props.value), [props.value]);
  // Cancel a pending search when the user leaves the view, because the search would open the view again.
  useEffect(() => () => clearTimeout(waiting.current), []);
  return (
    <Field label={props.label}>
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          placeholder={props.hint}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            const { value } = event.currentTarget;
            setTyped(value);
            clearTimeout(waiting.current);
            const hash = location.hash;
            waiting.current = setTimeout(() => {
              // Don't search if the user has followed a link since then.
              if (location.hash === hash) props.changed(value);
            }, typingMilliseconds);
          }}
        />
      )}
    </Field>
  );
}

export function Heading({ children, id }: { children: ComponentChildren; id?: string }) {
  return (
    <h2 id={id} tabIndex={-1}>
      {children}
    </h2>
  );
}

export function Nothing({
  error,
  reading,
  children,
}: {
  error?: string | undefined;
  reading?: boolean;
  children?: ComponentChildren;
}) {
  if (error) return <p class="notice bad">{error}</p>;
  if (reading) return <p class="empty">Reading…</p>;
  return (
    <div class="empty">
      <Icon name="empty" />
      {children}
    </div>
  );
}

export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl>
      {of
        .filter(([, value]) => value !== undefined && value !== null && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Box({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable with the keyboard
    // biome-ignore lint/a11y/useSemanticElements: preformatted text can't be a section
    <pre role="region" tabIndex={0} aria-label={label}>
      {children}
    </pre>
  );
}

/** If the browser blocks copying, the button shows the text for manual copying. */
export function Copy({
  text,
  label,
  news = "Copied.",
  children,
}: {
  text: string;
  label?: string;
  news?: string | undefined;
  children: ComponentChildren;
}) {
  const { notify } = useApp();
  const [shown, setShown] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notify(news);
    } catch {
      setShown(true);
      notify("The browser blocked copying. Copy the text manually.");
    }
  };
  return (
    <>
      <Button variant="quiet" act={copy} {...(label ? { label } : {})}>
        {children}
      </Button>
      {shown ? <Box label="Text to copy">{text}</Box> : null}
    </>
  );
}

export function Breakable({ children }: { children: string }) {
  return (
    <>
      {children.split(/(?<=[._/])(?=[a-z])/i).map((part, index) => (
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </>
  );
}

export function Sentence({ children }: { children: string }) {
  return (
    <>
      {children.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </>
  );
}
