/** `npm test -- <words>`: which tests have all the words in their path and title. */

const escape = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Those of the words that a text does not have, in any case of letters. */
export function wordsOutside(text: string, words: readonly string[]): string[] {
  const lower = text.toLowerCase()
  return words.filter((word) => !lower.includes(word.toLowerCase()))
}

/** Matches a title that has all the words, in any order and in any case of letters. */
export const titlePattern = (words: readonly string[]): RegExp =>
  new RegExp(`^${words.map((word) => `(?=.*${escape(word)})`).join('')}`, 'i')
