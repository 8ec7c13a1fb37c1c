/** A chunk as most clients spell it; half a megabyte, of which nothing but the ends is looked at. */
const beginning = /\{"offset":(0|[1-9]\d{0,14}),"base64_encoded_data":"/y

/**
 * The chunk of an import in a text, without a JSON parser, which would copy the data once more.
 * @returns undefined for every other spelling; then the parser has to look at it
 */
export function quickChunk(
  text: string,
): { offset: number; base64_encoded_data: string } | undefined {
  beginning.lastIndex = 0
  const match = beginning.exec(text)
  if (!match || !text.endsWith('"}')) return undefined
  const [start, end] = [match[0].length, text.length - 2]
  const plain = text.indexOf('"', start) === end && !text.includes('\\')
  if (!plain) return undefined
  return { offset: Number(match[1]), base64_encoded_data: text.slice(start, end) }
}
