/** Why a text cannot be kept as it was sent, or undefined if it can. */
export function textProblem(text: string): string | undefined {
  // Half of a surrogate pair would be stored as another character.
  if (!text.isWellFormed()) return 'lone surrogate in a string'
  // Not every database can hold it.
  return text.includes('\0') ? 'null character in a string' : undefined
}
