/** Reason that a text cannot be stored as sent, or undefined. */
export function textProblem(text: string): string | undefined {
  // Half of a surrogate pair would be stored as another character.
  if (!text.isWellFormed()) return 'lone surrogate in a string'
  // Not every database can store it.
  return text.includes('\0') ? 'null character in a string' : undefined
}

/**
 * Problem with a text as the name of an identity: invisible characters would make two names look
 * alike. Joiners belong to some scripts.
 * @param joiners whether joiners are allowed; not where names are compared
 */
export function nameTextProblem(
  text: string,
  { joiners = false }: { joiners?: boolean } = {},
): string | undefined {
  const seen = joiners ? text.replaceAll(/[\u200c\u200d]/g, '') : text
  return (
    textProblem(text) ??
    (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(seen) ? 'invisible character in a name' : undefined)
  )
}

/** Words with their article: `a disk`, `an instance`, `an SSH key`, `a user`. */
export const withArticle = (words: string): string =>
  `${/^(?:[aeio]|u(?!s|ni)|IP |SSH )/.test(words) ? 'an' : 'a'} ${words}`

/** `a`, `a and b`, `a, b and c`. */
export const inWords = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`

/** A problem with a value as a sentence for a form: with a capital at its beginning. */
export const asSentence = (problem: string | undefined): string | undefined =>
  problem && problem[0]!.toUpperCase() + problem.slice(1)
