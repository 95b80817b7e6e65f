import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAssistant } from "../helpers/assistants.js";
import { createMsp, distributorV2, readLicenseStates } from "../helpers/distributor.js";
import { Askers } from "../helpers/histories.js";
import {
  advance,
  draw,
  findImpossibleReads,
  groupBy,
  settings,
  withHistory,
} from "../helpers/interleaved.js";
import type { TestEmulator } from "../helpers/test-emulator.js";

interface Shown {
  name: string;
  company_name: string;
  pre_call_webhook: { url: string | null; headers: object } | null;
}

/** Number of requests in each lane (sequence of requests). `npm run proof` uses longer histories. */
const length = process.env["PROOF"] ? 250 : 6;

let askers: Askers;
beforeAll(async () => {
  askers = await Askers.start(3);
});
afterAll(() => askers.close());

// These tests use one server, which commits several requests together. In sharing.test.ts, several processes
// share a file.
describe.each(process.env["PROOF"] ? settings : settings.slice(-1))(
  "many concurrent connections, %s",
  (setting) => {
    // plain-words: allow title-long
    it("[public.limits.write concurrency] [public.limits.per-key concurrency] [public.limits.2 concurrency] [D-window concurrency] each slot in a key's window is used by only one request", async () => {
      const limit = 10;
      let keys: string[] = [];
      await withHistory(askers, setting, {
        length,
        limits: { write: limit },
        async prepare(emulator) {
          const group_id = await emulator.groupId("contacts");
          keys = [emulator.keys.admin, emulator.keys.editor];
          return (lane, step) =>
            lane === 0
              ? advance(emulator, 9)
              : {
                  method: "POST",
                  path: "/api/v1/contacts",
                  key: keys[lane % 2] ?? "",
                  body: { group_id, first_name: `${lane} ${step}` },
                };
        },
        async judge(histories, emulator) {
          const all = histories.slice(1).flat();
          for (const key of keys) {
            const windows = groupBy(
              all.filter((entry) => entry.key === key),
              ({ headers }) => Number(headers["x-ratelimit-reset"]),
            );
            const ends = [...windows.keys()].sort((a, b) => a - b);
            for (const [index, end] of ends.entries()) {
              expect(end - (ends[index - 1] ?? 0)).toBeGreaterThanOrEqual(60);
              const window = windows.get(end) ?? [];
              const passed = window.filter(({ status }) => status === 201);
              const remainders = passed.map(({ headers }) => Number(headers["x-ratelimit-remaining"]));
              expect(remainders.sort((a, b) => b - a)).toEqual(passed.map((_, index) => limit - 1 - index));
              // A client is refused only if the window is full.
              if (window.length > passed.length) expect(passed).toHaveLength(limit);
            }
          }
          const passed = all.filter(({ status }) => status === 201);
          expect(all.filter(({ status }) => status === 429)).toHaveLength(all.length - passed.length);
          expect(passed.length).toBeLessThan(all.length);
          expect((await emulator.control("GET", "/status")).counts.contacts).toBe(passed.length);
        },
      });
    });

    // plain-words: allow title-long
    it("[public.limits.1 concurrency] [D-cooldown concurrency] [public.operations.12f concurrency] accepted calls of an assistant are at least a minute apart", async () => {
      const blocked = "+493012340";
      const ids: string[] = [];
      await withHistory(askers, setting, {
        length,
        async prepare(emulator) {
          for (const name of ["A", "B", "C"]) ids.push((await createAssistant(emulator, { name })).id);
          await emulator.control("PATCH", `/assistants/${ids[0]}`, { blocked_numbers: [blocked] });
          return (lane, step) =>
            lane === 0
              ? advance(emulator, 1 + draw(20, "seconds", step))
              : {
                  method: "POST",
                  path: "/api/v1/calls",
                  body: {
                    assistant_id: ids[draw(3, "assistant", lane, step)],
                    to: `+49301234${draw(4, "to", lane, step)}`,
                  },
                };
        },
        async judge(histories, emulator) {
          const all = histories.slice(1).flat();
          const made = all.filter(({ status }) => status === 201).map(({ body }) => body.data);
          for (const { status, body, headers } of all) {
            if (status === 201) continue;
            expect(["rate_limit_exceeded", "outbound_target_blocked"]).toContain(body.error.code);
            expect(headers["retry-after"]).toBeUndefined();
          }
          expect(made.filter((call) => call.assistant_id === ids[0] && call.to === blocked)).toEqual([]);
          for (const [, calls] of groupBy(made, ({ assistant_id }) => assistant_id)) {
            const times = calls.map(({ created_at }) => Date.parse(created_at)).sort((a, b) => a - b);
            const apart = times.slice(1).map((time, index) => time - (times[index] ?? 0));
            expect(Math.min(60_000, ...apart)).toBe(60_000);
          }
          expect(made.length).toBeGreaterThanOrEqual(3);
          expect(await allCalls(emulator)).toEqual(made.map(({ call_id }) => call_id).sort());
        },
      });
    });

    it("[public.operations.1c concurrency] concurrent creates and deletes keep the last group", async () => {
      await withHistory(askers, setting, {
        length,
        async prepare(emulator) {
          const first = await emulator.groupId("glossaries");
          return (lane, step) => {
            const mixed = step < length / 3;
            if (mixed && draw(3, "kind", lane, step) < 2) {
              const body = { type: "glossaries", name: `${lane} ${step}` };
              return { method: "POST", path: "/api/v1/groups", body, keep: true };
            }
            // Without the API rule, no group would remain after each client deletes its own groups and the
            // default group.
            return { method: "DELETE", path: `/api/v1/groups/${step === length - 1 ? first : "{{own}}"}` };
          };
        },
        async judge(histories, emulator) {
          const all = histories.flat();
          const done = (method: string) =>
            all.filter((entry) => entry.method === method && entry.status < 300);
          const deleted = done("DELETE").map(({ path }) => path);
          expect(new Set(deleted).size).toBe(deleted.length);
          const left = (await emulator.ask("GET", "/groups?type=glossaries&limit=200")).body.data;
          expect(left.length).toBeGreaterThanOrEqual(1);
          expect(left).toHaveLength(1 + done("POST").length - deleted.length);
          expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 201, 404, 409]));
        },
      });
    });

    // plain-words: allow title-long
    it("[public.operations.5 concurrency] [public.operations.7c concurrency] [public.operations.7d concurrency] [public.operations.7f concurrency] concurrent changes of different fields are all kept", async () => {
      /** Changes of different fields. Lane N makes the change N modulo 4. */
      const registers = [
        (value: string) => ({ name: value }),
        (value: string) => ({ pre_call_webhook: { enabled: false, url: `https://example.org/${value}` } }),
        (value: string) => ({ pre_call_webhook: { enabled: false, headers: { [`X-${value}`]: value } } }),
        (value: string) => ({ company_name: value, pre_call_webhook: { enabled: false, auth: bearer } }),
      ];
      const bearer = { type: "bearer" };
      const shown = ({ name, pre_call_webhook: webhook, company_name }: Shown): (string | undefined)[] => [
        name,
        webhook?.url?.split("/").at(-1),
        Object.values(webhook?.headers ?? {}).join(),
        company_name,
      ];
      let id = "";
      await withHistory(askers, setting, {
        length,
        async prepare(emulator) {
          const pre_call_webhook = {
            enabled: true,
            url: "https://example.org/start",
            headers: { "X-Start": "start" },
            auth: { ...bearer, secret: "s" },
          };
          ({ id } = await createAssistant(emulator, {
            name: "start",
            company_name: "start",
            pre_call_webhook,
          }));
          return (lane, step) => ({
            method: "PATCH",
            path: `/api/v1/assistants/${id}`,
            body: registers[lane % registers.length]?.(`${lane}-${step}`) ?? {},
          });
        },
        async judge(histories, emulator) {
          for (const entry of histories.flat()) expect(entry).toMatchObject({ status: 200 });
          const last = (await emulator.ask("GET", `/assistants/${id}`)).body.data;
          expect(last.pre_call_webhook?.auth).toEqual({ ...bearer, has_secret: true });
          for (const [register] of registers.entries()) {
            const writes = histories
              .filter((_, lane) => lane % registers.length === register)
              .flatMap((history) =>
                history.map((entry, step) => ({ ...entry, value: `${entry.lane}-${step}` })),
              );
            const reads = histories
              .flat()
              .map(({ body, began, ended }) => ({ value: shown(body.data)[register], began, ended }));
            for (const { value, body } of writes) expect(shown(body.data)[register]).toBe(value);
            const end = Number.POSITIVE_INFINITY;
            reads.push({ value: shown(last)[register], began: end, ended: end });
            expect(findImpossibleReads(reads, writes)).toEqual([]);
          }
        },
      });
    });

    // plain-words: allow title-long
    it("[v2.license.states concurrency] [v2.create.customer concurrency] [v2.license.delete concurrency] a license has only one holder at a time", async () => {
      let msp = "";
      await withHistory(askers, setting, {
        length,
        key: "distributor_v2",
        async prepare(emulator) {
          const licenses = ["l0", "l1", "l2"];
          msp = (await createMsp(emulator, "acme", licenses)).id;
          return (lane, step) => {
            const path = "/api/distributor/v2/organizations";
            if (step % 2 === 1) return { method: "DELETE", path: `${path}/{{own}}` };
            const body = {
              type: "customer",
              name: "C",
              parentOrganizationId: msp,
              externalOrganizationId: `c-${lane}-${step}`,
              externalLicenseId: licenses[draw(3, "license", lane, step)],
            };
            return { method: "POST", path, body, keep: true };
          };
        },
        async judge(histories, emulator) {
          const all = histories.flat();
          for (const { status } of all) expect([200, 201, 404, 409]).toContain(status);
          const holdings = all
            .filter(({ method, status }) => method === "POST" && status === 201)
            .map(({ body, ended }) => {
              const ending = all.find(
                (entry) =>
                  entry.method === "DELETE" && entry.status === 200 && entry.path.endsWith(body.data.id),
              );
              // A request can take effect at any time before its response, so a license is certainly in use
              // only between the response to the create and the start of the delete.
              return {
                license: body.data.externalLicenseId,
                id: body.data.id,
                from: ended,
                to: ending?.began ?? Number.POSITIVE_INFINITY,
              };
            });
          expect(holdings.length).toBeGreaterThan(3);
          for (const [license, held] of groupBy(holdings, (holding) => holding.license)) {
            held.sort((a, b) => a.from - b.from);
            for (const [index, { from }] of held.entries()) {
              const before = held.slice(0, index).map(({ to }) => to);
              expect(Math.max(0, ...before)).toBeLessThan(from);
            }
            const holders = held.filter(({ to }) => to === Number.POSITIVE_INFINITY).map(({ id }) => id);
            const { data } = (await distributorV2(emulator)("GET", "/organizations?limit=200&type=customer"))
              .body;
            const now = data.filter(
              (row: { externalLicenseId: string }) => row.externalLicenseId === license,
            );
            expect(now.map(({ id }: { id: string }) => id)).toEqual(holders);
            expect((await readLicenseStates(emulator, msp))[license]).toBe(
              holders.length === 1 ? "assigned" : "available",
            );
          }
        },
      });
    });
  },
);

async function allCalls(emulator: TestEmulator): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  do {
    const { body } = await emulator.ask("GET", `/calls?limit=200${cursor}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.has_more ? `&cursor=${body.meta.next_cursor}` : "";
  } while (cursor !== "");
  return ids.sort();
}
