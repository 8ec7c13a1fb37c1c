/** The end of the output of a serial console as plain text. */

/** Sequences that move the cursor, colour, or name the window. */
const SEQUENCES =
  // eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])/g
// eslint-disable-next-line no-control-regex -- removes what is left of them
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g
/** A screen that was cleared is no longer there. */
// eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
const CLEARED = /\u001B(?:\[[23]J|c)/

/** The last of its parts: a carriage return writes a line again. */
const written = (line: string): string =>
  line
    .split('\r')
    .findLast((part) => part !== '')
    ?.replaceAll(CONTROLS, '')
    .replaceAll('\t', '        ')
    .trimEnd() ?? ''

/**
 * The last lines that were written, without escape sequences and empty lines.
 * @param count maximum number of lines
 */
export function lastLines(output: Uint8Array, count: number): string[] {
  const text = new TextDecoder().decode(output)
  const lines = (text.split(CLEARED).at(-1) ?? '')
    .replaceAll(SEQUENCES, '')
    .split('\n')
    .map(written)
  return lines.filter((line) => line.trim() !== '').slice(-count)
}
