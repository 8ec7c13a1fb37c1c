/** An end of a question that is everything outside of the cloud. */
export const INTERNET_END = 'internet'

/** An end of a question that is an instance, as it stands in the address of a page. */
export const INSTANCE = 'instance:'

export const instanceEnd = (instance: string, nic?: string): string =>
  INSTANCE + instance + (nic ? `/${nic}` : '')
