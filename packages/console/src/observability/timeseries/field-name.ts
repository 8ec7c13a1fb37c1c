/** The name of a field. The client spells all keys of answers in its own way, also those that are data. */
export const fieldName = (key: string): string =>
  key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
