/** Why a text cannot be kept as it was sent, or undefined if it can. */
export function textProblem(text: string): string | undefined {
  // Half of a surrogate pair would be stored as another character.
  if (!text.isWellFormed()) return 'lone surrogate in a string'
  // Not every database can hold it.
  return text.includes('\0') ? 'null character in a string' : undefined
}

/**
 * Why a text cannot be a name by which people and policies know somebody: characters that nobody
 * sees would make two names look alike. Marks that join letters belong to some scripts.
 * @param joiners whether such marks may be in it; they may not where the name is compared
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
