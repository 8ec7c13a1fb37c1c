/** The ends of a question, as in the address of its page. */

/** The end of a question for everything outside the cloud. */
export const INTERNET_END = 'internet'

/** Prefix of an instance as an end of a question in a URL. */
const INSTANCE = 'instance:'

export const instanceEnd = (instance: string, nic?: string): string =>
  INSTANCE + instance + (nic ? `/${nic}` : '')

/** Parses an end that is an instance, with its optional interface. */
export function readInstance(end: string): { instance: string; nic?: string } | undefined {
  if (!end.startsWith(INSTANCE)) return undefined
  const [instance = '', nic] = end.slice(INSTANCE.length).split('/')
  return { instance, ...(nic ? { nic } : {}) }
}
