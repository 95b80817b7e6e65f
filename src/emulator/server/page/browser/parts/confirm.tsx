import { useEffect, useRef, useState } from "preact/hooks";
import type { Consent, Question } from "../context.js";
import { Check } from "./basics.js";

/** The browser keeps the focus in the modal dialog and restores the focus afterwards. */
export function Confirm({
  question,
  reply,
}: {
  question: Question;
  reply: (consent: Consent | undefined) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [choice, setChoice] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Focus the Cancel button, so that pressing Enter by mistake doesn't confirm.
    cancel.current?.focus();
  }, []);
  const { list = [] } = question;
  const leave = () => {
    dialog.current?.close();
    // Don't wait for the dialog's close event, because the page would ignore key presses until then.
    reply(undefined);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question"
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClose={() => reply(undefined)}
    >
      <h2 id="question">{question.title}</h2>
      <p>{question.text}</p>
      {list.length > 0 ? (
        <ul>
          {list.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : null}
      {question.choice ? <Check label={question.choice} on={choice} changed={setChoice} /> : null}
      <div class="row">
        <button ref={cancel} type="button" onClick={leave}>
          Cancel
        </button>
        <button
          type="button"
          class={question.isDestructive ? "primary destructive" : "primary"}
          onClick={() => reply({ choice })}
        >
          {question.action}
        </button>
      </div>
    </dialog>
  );
}
