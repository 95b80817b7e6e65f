// `npm run bench`: measures everything in turn, prints the tables and writes them to docs/performance.md.
// `npm run bench -- start-up http others size worlds import` measures some; with --write their tables are written, too.
import { readFileSync, writeFileSync } from "node:fs";
import { benchHttp } from "./http.mjs";
import { benchImport } from "./import-ratio.mjs";
import { machine } from "./measure.mjs";
import { benchOthers } from "./others.mjs";
import { root } from "./servers.mjs";
import { benchSize } from "./size.mjs";
import { benchStartup } from "./startup.mjs";
import { benchWorlds } from "./worlds.mjs";

const parts = {
  "start-up": async () => ({ "Start-up": await benchStartup() }),
  http: async () => ({ "Beside bare node:http": await benchHttp() }),
  others: async () => ({ "Beside json-server and Prism": await benchOthers() }),
  size: async () => {
    const { pages, memory, files } = await benchSize();
    return { "As a world grows": `${pages}\n\n${files}`, Memory: memory };
  },
  worlds: async () => ({ Worlds: await benchWorlds() }),
  import: async () => ({ Imports: await benchImport() }),
};

const chosen = process.argv.slice(2).filter((word) => word !== "--write");
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) throw new Error(`${unknown} is none of ${Object.keys(parts).join(", ")}`);
const names = chosen.length > 0 ? chosen : Object.keys(parts);
const here = machine();
const tables = {};
for (const name of names) {
  console.error(`measuring ${name} …`);
  for (const [title, text] of Object.entries(await parts[name]())) {
    tables[title] = text;
    console.log(`## ${title}\n\n${text}\n`);
  }
}

if (chosen.length === 0 || process.argv.includes("--write")) {
  // What is said of the figures is written by hand and stays; the tables are between the marks.
  const path = `${root}docs/performance.md`;
  let page = readFileSync(path, "utf8");
  for (const [title, text] of Object.entries({ Machine: `${here}.`, ...tables })) {
    const mark = title.toLowerCase().replace(/\W+/g, "-");
    const part = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- /${mark} -->)`);
    if (!part.test(page)) throw new Error(`docs/performance.md has no place for "${title}" (${mark})`);
    page = page.replace(part, (_, begin, end) => `${begin}\n${text}\n\n${end}`);
  }
  writeFileSync(path, page);
}
