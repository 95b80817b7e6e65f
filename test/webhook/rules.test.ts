import { appendFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { post, shell, startListening } from "./receiving.js";

/** Only a few names and values, so that rules often match. */
const names = ["body.from", "body.caller.name", "body.list.1", "header.X-Site", "query.v", "path", "method"];
const values = ["a", "b", "2", "null", "/hook", "POST"];
const Condition = fc.constantFrom<string | number | null>(...values, 2, null, "/^a|b$/", "/B/i", "/./");
const Rule = fc.dictionary(fc.constantFrom(...names), Condition, { maxKeys: 3 });
const Value = fc.constantFrom<unknown>(...values, 2, 2.5, null, true, ["a", "b"], {});
const WebhookCall = fc.record({
  body: fc.option(
    fc.record(
      { from: Value, caller: fc.record({ name: Value }), list: fc.array(Value) },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  ),
  site: fc.option(fc.constantFrom(...values), { nil: undefined }),
  query: fc.constantFrom("", "?v=2", "?v=a&v=b", "?v=", "?w=2"),
  path: fc.constantFrom("/", "/hook", "/a"),
});
type WebhookCall = typeof WebhookCall extends fc.Arbitrary<infer T> ? T : never;

/** Reference implementation. Returns the number of the matching rule; 0 if none matches. */
function findExpectedRule(
  rules: readonly Record<string, string | number | null>[],
  call: WebhookCall,
): number {
  const parts: Record<string, unknown> = {
    "body.from": call.body?.from,
    "body.caller.name": call.body?.caller?.name,
    "body.list.1": call.body?.list?.[1],
    "header.X-Site": call.site,
    "query.v": new Map([
      ["?v=2", "2"],
      ["?v=a&v=b", "a"],
      ["?v=", ""],
    ]).get(call.query),
    path: call.path,
    method: "POST",
  };
  for (const [index, rule] of rules.entries()) {
    let fits = true;
    for (const [name, condition] of Object.entries(rule)) {
      const value = parts[name];
      if (value === undefined) fits = false;
      else if (condition === null) fits &&= value === null;
      // A withheld number is null, which no text or pattern matches.
      else if (typeof value === "object") fits = false;
      else if (condition === "/^a|b$/") fits &&= `${value}`.startsWith("a") || `${value}`.endsWith("b");
      else if (condition === "/B/i") fits &&= `${value}`.toLowerCase().includes("b");
      else if (condition === "/./") fits &&= `${value}` !== "";
      else fits &&= `${value}` === `${condition}`;
    }
    if (fits) return index + 1;
  }
  return 0;
}

test("`webhook listen` selects the same response rule as a reference implementation", async () => {
  const cli = shell();
  const file = join(cli.home, "rules.yaml");
  writeFileSync(file, "version: 1\n");
  const receiver = await startListening(cli, ["--rules", "rules.yaml"]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(Rule, { maxLength: 5 }),
      fc.array(WebhookCall, { minLength: 1, maxLength: 8 }),
      async (rules, all) => {
        const responseRules = rules.map((when, index) => ({ when, answer: { text: String(index + 1) } }));
        writeFileSync(file, stringify({ version: 1, rules: responseRules, default: { text: "0" } }));
        utimesSync(file, new Date(0), new Date(0));
        for (const call of all) {
          const headers = call.site === undefined ? [] : ["X-Site", call.site];
          const body = call.body === undefined ? "no json" : JSON.stringify(call.body);
          const response = await post(receiver.url + call.path + call.query, body, headers);
          expect(response).toEqual({ status: 200, body: String(findExpectedRule(rules, call)) });
        }
      },
    ),
    { numRuns: 25, seed: 5 },
  );
  await receiver.stop();
});

test("`webhook listen` never uses a partially written rules file", async () => {
  const cli = shell();
  const file = join(cli.home, "rules.yaml");
  const formatDefault = (name: number) => `default: { json: { name: ${name} } }\n`;
  const settle = () => utimesSync(file, new Date(0), new Date(0));
  writeFileSync(file, `version: 1\nrules: []\n${formatDefault(0)}`);
  settle();
  const receiver = await startListening(cli, ["--rules", "rules.yaml"]);
  const postThrice = async () =>
    (await Promise.all(["1", "2", "3"].map((body) => post(receiver.url, body)))).map(({ body }) => body);
  for (let version = 1; version <= 10; version += 1) {
    const before = postThrice();
    // This partial text is already a valid file. Its response would be {}.
    writeFileSync(file, "version: 1\nrules: []\n");
    // The partial file is always recent, regardless of the duration of responses.
    const justNow = new Date(Date.now() + 60_000);
    utimesSync(file, justNow, justNow);
    const former = `{"name":${version - 1}}`;
    expect([...(await before), ...(await postThrice())]).toEqual(Array(6).fill(former));
    appendFileSync(file, formatDefault(version));
    settle();
    expect(await postThrice()).toEqual(Array(3).fill(`{"name":${version}}`));
  }
  await receiver.stop();
});

test("`webhook listen` keeps all digits of numbers", async () => {
  const cli = shell();
  const rules = `version: 1
rules:
  - when: { body.id: "12345678901234567890" }
    answer: { json: { id: "{{body.id}}", text: "id {{body.id}}" } }
default: { file: answer.json }
`;
  writeFileSync(join(cli.home, "rules.yaml"), rules);
  writeFileSync(join(cli.home, "answer.json"), '{"id":98765432109876543210}');
  const receiver = await startListening(cli, ["--rules", "rules.yaml"]);
  expect((await post(receiver.url, '{"id":12345678901234567890}')).body).toBe(
    '{"id":12345678901234567890,"text":"id 12345678901234567890"}',
  );
  expect((await post(receiver.url, '{"id":1}')).body).toBe('{"id":98765432109876543210}');
  await receiver.stop();
});
