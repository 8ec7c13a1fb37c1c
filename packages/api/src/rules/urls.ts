/** Addresses on the web that users give to the control plane. */

/** Characters. */
export const URL_MAX = 2048

export const urlMessages = {
  tooLong: `must be at most ${URL_MAX} characters long`,
  notUrl: 'must be an absolute URL',
  scheme: 'must begin with https:// or http://',
  credentials: 'must not contain a user name or a password',
} as const

/** Problem with an address; undefined if there is none. */
export function urlProblem(text: string): string | undefined {
  if (text.length > URL_MAX) return urlMessages.tooLong
  if (!URL.canParse(text)) return urlMessages.notUrl
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return urlMessages.scheme
  return username || password ? urlMessages.credentials : undefined
}
