import { createKeys } from "./keys.js";
import { enableLanguages } from "./languages.js";
import { enableMenu } from "./menu.js";
import { enableForm } from "./try.js";

const server = document.body.dataset["server"] ?? "";
const keys = createKeys();
enableMenu();
enableLanguages();
for (const form of document.querySelectorAll<HTMLFormElement>(".try form")) enableForm(form, server, keys);
