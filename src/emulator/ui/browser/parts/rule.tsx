import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../api.js";
import { useApp } from "../context.js";
import { hrefOf } from "../route.js";
import { type Row, text } from "../rows.js";
import { kindOf } from "../rulebook.js";
import { Sentence } from "./basics.js";

/** A rule with its sentence. */
export function Rule({ id }: { id: string }) {
  const { rulebook } = useApp();
  const [rule, setRule] = useState<Row | undefined>(undefined);
  useEffect(() => {
    let isAsked = true;
    void rulebook
      .find(id)
      .catch(() => undefined)
      .then((found) => isAsked && setRule(found));
    return () => {
      isAsked = false;
    };
  }, [id, rulebook]);
  if (id === "") return null;
  return (
    <p class="rule">
      <a href={hrefOf("rules", [id])}>{id}</a>
      {rule ? (
        <>
          {" "}
          <span class="kind">({kindOf(rule)})</span> <Sentence>{text(rule, "text")}</Sentence>
        </>
      ) : null}
    </p>
  );
}

/** A refusal of the service: its rule, and what the rule says. */
export function Refused({ answer }: { answer: Answer }) {
  return (
    <section class="refused" role="alert" aria-label="Refused">
      <p>
        <strong>
          {answer.status} {answer.code}
        </strong>{" "}
        {answer.message}
      </p>
      {answer.details.length > 0 ? (
        <ul>
          {answer.details.map((detail) => (
            <li key={JSON.stringify(detail)}>
              <code>{pathOf(detail)}</code> {text(detail, "message")}
            </li>
          ))}
        </ul>
      ) : null}
      <Rule id={answer.rule} />
      <p class="kind">
        {answer.method} {answer.path}
      </p>
    </section>
  );
}

/** The field that a detail of a refusal is about: `schedules.0.kind` */
export function pathOf(detail: Row): string {
  const path = detail["path"];
  return Array.isArray(path) ? path.join(".") : text(detail, "path");
}
