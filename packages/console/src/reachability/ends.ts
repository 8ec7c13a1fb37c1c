/** An end of a question that is an instance, as it stands in the address of a page. */
export const INSTANCE = 'instance:'

export const instanceEnd = (instance: string, nic?: string): string =>
  INSTANCE + instance + (nic ? `/${nic}` : '')
