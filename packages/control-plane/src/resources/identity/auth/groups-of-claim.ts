/** The names of groups in the claims or attributes of a user. */
import { SIGN_IN_GROUPS_MAX, signInMessages } from '@steading/api/rules'

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** The names in a text: a list in JSON, or separated by commas. */
function listIn(text: string, commasInNames: boolean): string[] {
  if (text.trim().startsWith('[')) {
    try {
      // oxlint-disable-next-line no-restricted-properties -- a text of the provider, no column
      const list: unknown = JSON.parse(text)
      if (isTexts(list)) return list
    } catch {
      // A name may begin with a bracket.
    }
  }
  return commasInNames ? [text] : text.split(',')
}

/**
 * The distinct names in values that may each be a list.
 * @param commasInNames whether a comma is part of a name, as in `CN=admins,OU=cloud`
 * @param refuse makes the error of a reason
 * @throws that error if there are too many
 */
export function groupNames(
  values: readonly string[],
  commasInNames: boolean,
  refuse: (reason: string) => Error,
): string[] {
  const names = new Set(
    values
      .flatMap((value) => listIn(value, commasInNames))
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  if (names.size > SIGN_IN_GROUPS_MAX) throw refuse(signInMessages.tooManyGroups(names.size))
  return [...names]
}
