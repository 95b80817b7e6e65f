/** Numbers below a million as German and English assistants say them: written apart from what reads them. */

const germanUnits = [
  ..."null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn".split(
    " ",
  ),
  ..."sechzehn siebzehn achtzehn neunzehn".split(" "),
];
const germanTens = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(" ");
const englishUnits = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(
    " ",
  ),
  ..."sixteen seventeen eighteen nineteen".split(" "),
];
const englishTens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const whole = (number: number, size: number) => Math.floor(number / size);

function germanPart(number: number): string {
  if (number >= 1_000)
    return `${germanPart(whole(number, 1_000))}tausend${number % 1_000 === 0 ? "" : germanPart(number % 1_000)}`;
  if (number >= 100)
    return `${germanPart(whole(number, 100))}hundert${number % 100 === 0 ? "" : germanPart(number % 100)}`;
  if (number < 20) return germanUnits[number] ?? "";
  return `${number % 10 === 0 ? "" : `${germanUnits[number % 10]}und`}${germanTens[whole(number, 10) - 2]}`;
}

/** `einundzwanzig`, `hunderteins` */
export function inGerman(number: number): string {
  return germanPart(number).replace(/ein$/, "eins");
}

/** `twenty-one`, `one hundred and one` */
export function inEnglish(number: number): string {
  if (number >= 1_000) {
    const remainder = number % 1_000;
    const joint = remainder < 100 ? " and " : " ";
    return `${inEnglish(whole(number, 1_000))} thousand${remainder === 0 ? "" : joint + inEnglish(remainder)}`;
  }
  if (number >= 100)
    return `${inEnglish(whole(number, 100))} hundred${number % 100 === 0 ? "" : ` and ${inEnglish(number % 100)}`}`;
  if (number < 20) return englishUnits[number] ?? "";
  return `${englishTens[whole(number, 10) - 2]}${number % 10 === 0 ? "" : `-${englishUnits[number % 10]}`}`;
}
