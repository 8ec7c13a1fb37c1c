/**
 * Names, descriptions and generated names (control plane specification 1.5; form messages of the
 * shared UI specification, section 11).
 */

export const NAME_MAX = 63
export const DESCRIPTION_MAX = 512
export const HOSTNAME_MAX = 253
/** Characters of a UUID. */
export const UUID_LENGTH = 36

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** The control plane's problem with a name, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name.length > NAME_MAX) return `name may contain at most ${NAME_MAX} characters`
  if (name.length === 0) return 'name requires at least one character'
  if (!/^[a-z]/.test(name)) return 'name must begin with an ASCII lowercase character'
  const bad = [...name].find((character) => !/[a-z0-9-]/.test(character))
  if (bad !== undefined) {
    return `name contains invalid character: "${bad}" (allowed characters are lowercase ASCII, digits, and "-")`
  }
  if (name.endsWith('-')) return 'name cannot end with "-"'
  return isUuid(name) ? 'name cannot be a UUID to avoid ambiguity with IDs' : undefined
}

/**
 * The same rule with form messages, for names that are still being typed.
 * @param label of the field, e.g. "Name"
 */
export function nameFieldProblem(name: string, label = 'Name'): string | undefined {
  if (name.length > NAME_MAX) return `Must be ${NAME_MAX} characters or fewer`
  if (name.length === 0) return `${label} is required`
  if (!/^[a-z0-9-]+$/.test(name)) {
    return 'Can only contain lower-case letters, numbers, and dashes'
  }
  if (!/^[a-z]/.test(name)) return 'Must start with a lower-case letter'
  if (name.endsWith('-')) return 'Must end with a letter or number'
  if (isUuid(name)) return 'Must not have the form of an ID'
  return undefined
}

export function descriptionProblem(description: string): string | undefined {
  return description.length > DESCRIPTION_MAX
    ? `A description must be no longer than ${DESCRIPTION_MAX} characters`
    : undefined
}

/** RFC 1035 labels of letters, digits and inner hyphens, joined by dots, 253 characters at most. */
export function hostnameProblem(hostname: string): string | undefined {
  if (hostname.length > HOSTNAME_MAX) return `Max hostname length is ${HOSTNAME_MAX}`
  const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i
  return hostname.split('.').every((part) => label.test(part))
    ? undefined
    : 'Hostnames must comply with RFC 1035'
}

/** Characters of a part of a host name between dots (RFC 1035). */
const LABEL_MAX = 63
/** Characters that Linux keeps of a host name. */
const LINUX_HOSTNAME_MAX = 64

/** A probable mistake in a valid host name, which does not forbid it; undefined if there is none. */
export function hostnameRemark(hostname: string): string | undefined {
  if (hostname.split('.').some((part) => part.length > LABEL_MAX)) {
    return `Parts between dots have at most ${LABEL_MAX} characters in DNS`
  }
  if (hostname.length > LINUX_HOSTNAME_MAX) {
    return `Linux takes at most ${LINUX_HOSTNAME_MAX} characters`
  }
  if (/^\d+(\.\d+){3}$/.test(hostname)) return 'This is an address rather than a name'
  return /^localhost(\.|$)/i.test(hostname)
    ? 'Guests use this name for themselves, whatever they are called'
    : undefined
}

/**
 * Sort key of a name in natural order: `disk-2` before `disk-10`. Byte-wise comparison of two keys
 * compares letters as text and numbers by value, so both databases sort alike, using an index.
 * Every number is preceded by its length, without leading zeros. A name with leading zeros is
 * appended to its key, so that no two names share a key.
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

const SUFFIX_LENGTH = 6

/** Six random hex digits that make a name unique. */
export const randomSuffix = (): string =>
  (crypto.getRandomValues(new Uint32Array(1))[0]! >>> 8).toString(16).padStart(SUFFIX_LENGTH, '0')

/** A name composed of its origins, truncated to the maximum length. */
export function nameOfParts(parts: readonly string[], suffix: string): string {
  const maxPart = Math.floor(NAME_MAX / parts.length) - Math.ceil(SUFFIX_LENGTH / parts.length) - 1
  return [...parts.map((part) => part.substring(0, maxPart)), suffix].join('-')
}

/** A unique name composed of its origins, e.g. disk and image. */
export const generateName = (...parts: string[]): string => nameOfParts(parts, randomSuffix())
