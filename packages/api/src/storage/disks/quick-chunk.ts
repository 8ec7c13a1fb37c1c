/**
 * Start of a chunk as most clients write it. A chunk is half a megabyte; only its ends are parsed.
 */
const beginning = /\{"offset":(0|[1-9]\d{0,14}),"base64_encoded_data":"/y

/**
 * Reads an import chunk without a JSON parser, which would copy the data once more.
 * @returns undefined for any other spelling, which the parser has to handle
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
