import { useState } from "preact/hooks";
import type { Answer } from "../api.js";
import { useApp } from "../context.js";
import { usePicked } from "../key.js";
import { useLive } from "../live.js";
import { Button, Copy, Heading, Nothing } from "../parts/basics.js";
import { Refused } from "../parts/rule.js";
import { go, hrefOf } from "../route.js";
import { type Row, rowOf, text } from "../rows.js";
import { Form } from "./form.js";
import { JsonForm } from "./json-form.js";
import type { Kind } from "./kinds.js";
import { idsIn, namesOf } from "./names.js";
import { References } from "./references.js";
import { createShapes, type Shapes } from "./schema.js";

/** The API's description, which is the same as long as the page is open. */
const shapesOf: Shapes = createShapes();

/** One thing, or a new one: as a form and as JSON, read and changed through the API with the picked key. */
export function Thing({ kind, id }: { kind: Kind; id: string }) {
  const isNew = id === "new";
  const { api, control, route, tell, attempt, confirm } = useApp();
  const key = usePicked()?.id ?? "";
  const [refusal, setRefusal] = useState<Answer | undefined>(undefined);
  const [version, setVersion] = useState(0);
  const path = isNew ? kind.path : `${kind.path}/${encodeURIComponent(id)}`;
  const { data, error, reload } = useLive(
    async () => {
      const shapes = await shapesOf(kind.schema + (isNew ? "Create" : "Update"));
      if (isNew || key === "") return { shapes, answer: undefined, names: {} };
      const answer = await api.send("GET", path);
      const names = Object.fromEntries(await namesOf(control, idsIn(rowOf(answer.data))));
      return { shapes, answer, names };
    },
    [path, key],
    { live: false },
  );
  const stored = data?.answer ? rowOf(data.answer.data) : undefined;
  const isThere = isNew || data?.answer?.ok === true;

  const send = (body: Row) =>
    attempt(async () => {
      setRefusal(undefined);
      const answer = await api.send(isNew ? "POST" : "PATCH", path, JSON.stringify(body));
      if (!answer.ok) {
        setRefusal(answer);
        return;
      }
      tell(`${answer.method} ${path}: ${answer.status}. ${isNew ? "It is made." : "It is changed."}`);
      if (isNew) {
        go(hrefOf("resources", [kind.name, text(rowOf(answer.data), "id")]));
        return;
      }
      await reload();
      // The form begins anew with what is stored now.
      setVersion(version + 1);
    });
  const remove = async () => {
    const name = stored ? titleOf(stored) : id;
    const text = kind.name === "groups" ? "Everything in it is deleted, too." : "It can't be brought back.";
    if (!(await confirm({ title: `Delete ${name}?`, text, action: "Delete" }))) return;
    await attempt(async () => {
      const answer = await api.send("DELETE", path);
      if (!answer.ok) setRefusal(answer);
      else {
        go(hrefOf("resources", [kind.name]));
        tell(`${name} is deleted.`);
      }
    });
  };

  const asJson = route.query["as"] === "json";
  const here = [kind.name, id];
  return (
    <section aria-labelledby="thing-heading">
      <p class="up">
        <a href={hrefOf("resources", [kind.name])}>← {kind.title}</a>
      </p>
      <div class="head">
        <Heading id="thing-heading">
          {isNew ? `New ${kind.noun}` : stored && isThere ? titleOf(stored) : kind.noun}
        </Heading>
        {isNew || !isThere ? null : <Button act={remove}>Delete…</Button>}
      </div>
      {data === undefined ? (
        <Nothing error={error} reading>
          {""}
        </Nothing>
      ) : !isThere ? (
        data.answer ? (
          <Refused answer={data.answer} />
        ) : (
          <Nothing>Pick a key first.</Nothing>
        )
      ) : (
        <>
          <nav aria-label="Ways to look at it" class="ways">
            <a href={hrefOf("resources", here)} aria-current={asJson ? undefined : "true"}>
              Form
            </a>
            <a href={hrefOf("resources", here, { as: "json" })} aria-current={asJson ? "true" : undefined}>
              JSON
            </a>
          </nav>
          {refusal ? <Refused answer={refusal} /> : null}
          {asJson ? (
            <JsonForm key={version} stored={stored} shapes={data.shapes} send={send} />
          ) : (
            <Form
              key={version}
              kind={kind}
              shapes={data.shapes}
              stored={stored}
              refusal={refusal}
              send={send}
            />
          )}
          {stored && !isNew ? (
            <References kind={kind} thing={stored} names={data.names} shapes={data.shapes} />
          ) : null}
          {isNew ? null : <Copy text={location.href}>Copy the link</Copy>}
        </>
      )}
    </section>
  );
}

/** The name of a thing, from whichever field holds it. */
function titleOf(thing: Row): string {
  const person = `${text(thing, "first_name")} ${text(thing, "last_name")}`.trim();
  return text(thing, "name") || person || text(thing, "term") || text(thing, "token") || text(thing, "id");
}
