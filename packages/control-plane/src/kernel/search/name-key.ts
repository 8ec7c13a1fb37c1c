/**
 * The text by which names are sorted as people count: `disk-2` before `disk-10`. Comparing two keys
 * byte by byte compares the texts of the names by letters and their numbers by value, so both
 * databases sort alike, along an index. Every number has its length in front, without the zeros it
 * begins with. A name with such zeros has itself at the end of its key, so that no two names have
 * the same one.
 */
export function nameKey(name: string): string {
  let padded = false
  const key = name.replaceAll(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    if (number !== digits) padded = true
    return `${String(number.length).padStart(2, '0')}${number}`
  })
  return padded ? `${key} ${name}` : key
}

/** The columns of a name in the tables of kinds that are searched; both are written together. */
export const named = <Name extends string | null>(name: Name) => ({
  name,
  name_key: (name === null ? null : nameKey(name)) as Name,
})
