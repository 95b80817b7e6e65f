import { useEffect, useState } from "preact/hooks";
import type { ApiResponse } from "../api.js";
import { useApp } from "../context.js";
import { formatHref } from "../route.js";
import { type Row, text } from "../rows.js";
import { describeOrigin } from "../rulebook.js";
import { Sentence } from "./basics.js";

export function Rule({ id }: { id: string }) {
  const { rulebook } = useApp();
  const [rule, setRule] = useState<Row | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    void rulebook
      .find(id)
      .catch(() => undefined)
      .then((loaded) => isCurrent && setRule(loaded));
    return () => {
      isCurrent = false;
    };
  }, [id, rulebook]);
  if (id === "") return null;
  return (
    <p class="rule">
      <a href={formatHref("rules", [id])}>{id}</a>
      {rule ? (
        <>
          {" "}
          <span class="faint">({describeOrigin(rule)})</span> <Sentence>{text(rule, "text")}</Sentence>
        </>
      ) : null}
    </p>
  );
}

export function Refused({ response }: { response: ApiResponse }) {
  return (
    <section class="notice bad" role="alert" aria-label="Refused">
      <p>
        <strong>
          {response.status} {response.code}
        </strong>{" "}
        {response.message}
      </p>
      {response.details.length > 0 ? (
        <ul>
          {response.details.map((detail) => (
            <li key={JSON.stringify(detail)}>
              <code>{formatPath(detail)}</code> {text(detail, "message")}
            </li>
          ))}
        </ul>
      ) : null}
      <Rule id={response.rule} />
      <p class="faint">
        {response.method} {response.path}
      </p>
    </section>
  );
}

export function formatPath(detail: Row): string {
  const path = detail["path"];
  return Array.isArray(path) ? path.join(".") : text(detail, "path");
}
