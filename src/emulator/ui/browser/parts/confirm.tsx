import { useEffect, useRef } from "preact/hooks";
import type { Question } from "../context.js";

/** Asks before something is lost; Escape is a no. The browser keeps the focus within and gives it back. */
export function Confirm({ question, answer }: { question: Question; answer: (yes: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="question" onClose={() => answer(false)}>
      <h2 id="question">{question.title}</h2>
      <p>{question.text}</p>
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={() => answer(true)}>
          {question.action}
        </button>
      </div>
    </dialog>
  );
}
