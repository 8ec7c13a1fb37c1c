/** The letters of a text, in capitals. */
export const lettersIn = (text: string): string => text.replace(/[^a-z]/gi, '').toUpperCase()

/**
 * The boxes after some text was pasted. A whole code replaces what is there; fewer letters fill the
 * empty boxes, from the left.
 */
export function pastedInto(boxes: readonly string[], text: string): string[] {
  const letters = [...lettersIn(text)]
  if (letters.length >= boxes.length) return letters.slice(0, boxes.length)
  return boxes.map((letter) => letter || (letters.shift() ?? ''))
}
