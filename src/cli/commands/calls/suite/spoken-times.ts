const minutesOfHour = 60;

/** So many minutes from an hour of the clock on, which has no day: `8:30`; half an hour before one is half past twelve. */
function formatTime(hour: string, minutes: number): string {
  const total = Number(hour) * minutesOfHour + minutes;
  const whole = Math.floor(total / minutesOfHour);
  return `${whole <= 0 ? whole + 12 : whole}:${String(total - whole * minutesOfHour).padStart(2, "0")}`;
}

/** `2 pm` is `14:00`. */
function toHalfDayTime(hour: string, minutes: string, half: string): string {
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return `${hours}:${minutes}`;
}

/**
 * A text whose times of day have one form, `8:30`, however they are said in German or English: the numbers in "halb neun",
 * "ten past nine" and "2 pm" would be those of other times. Its number words are digits already.
 */
export function replaceSpokenTimes(text: string): string {
  return (
    text
      .replace(/\bhalb (\d{1,2})\b/gi, (_, hour: string) => formatTime(hour, -30))
      .replace(/\b(?:viertel vor|dreiviertel|quarter to) (\d{1,2})\b/gi, (_, hour: string) =>
        formatTime(hour, -15),
      )
      .replace(/\b(?:viertel nach|quarter past) (\d{1,2})\b/gi, (_, hour: string) => formatTime(hour, 15))
      .replace(/\bhalf past (\d{1,2})\b/gi, (_, hour: string) => formatTime(hour, 30))
      .replace(
        /\b(\d{1,2}) (?:minuten |minutes )?(vor|nach|past) (\d{1,2})(?::(\d\d))?(?!\d|[.,:]\d)/gi,
        (_, minutes: string, where: string, hour: string, half = "0") =>
          formatTime(hour, Number(half) + (/vor/i.test(where) ? -Number(minutes) : Number(minutes))),
      )
      .replace(/\b(\d{1,2}) minutes to (\d{1,2})\b/gi, (_, minutes: string, hour: string) =>
        formatTime(hour, -Number(minutes)),
      )
      .replace(/(?<![\d:.])(\d{1,2})\.(\d{2}) Uhr\b/gi, "$1:$2")
      .replace(/(?<![\d:.])(\d{1,2}) Uhr (\d{2})\b/gi, "$1:$2")
      .replace(
        /\b(\d{1,2})(?::(\d\d))?(?: (?:Uhr|o['’]clock))? (?:nachmittags|abends|am (?:Nachmittag|Abend)|in the (?:afternoon|evening))(?!\p{L})/giu,
        (_, hour: string, minutes = "00") =>
          Number(hour) > 12 ? `${hour}:${minutes}` : toHalfDayTime(hour, minutes, "p"),
      )
      .replace(
        /\b(\d{1,2})(?:[:.](\d\d))? ?([ap])(?:\.m\.|m\b)/gi,
        (_, hour: string, minutes = "00", half: string) => toHalfDayTime(hour, minutes, half),
      )
      .replace(/\b0(\d:\d\d)\b/g, "$1")
      // "um neun" and "9:00 Uhr" are one time.
      .replace(/(?<![\d:.])(\d{1,2}):00(?![\d:])/g, "$1")
  );
}
