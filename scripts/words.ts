/** `npm test -- <words>`: selects tests with all the words in path and title. */

const escape = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Words that a text does not contain, ignoring case. */
export function wordsOutside(text: string, words: readonly string[]): string[] {
  const lower = text.toLowerCase()
  return words.filter((word) => !lower.includes(word.toLowerCase()))
}

/** Matches titles with all the words, in any order, ignoring case. */
export const titlePattern = (words: readonly string[]): RegExp =>
  new RegExp(`^${words.map((word) => `(?=.*${escape(word)})`).join('')}`, 'i')
