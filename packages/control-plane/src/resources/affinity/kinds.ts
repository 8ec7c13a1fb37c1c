/** The two kinds of groups differ in what placement makes of them, and in words. */
export const groupKinds = {
  affinity: {
    child: 'affinity_group',
    type: 'affinity-group',
    resource: 'affinity-groups',
    words: 'affinity group',
  },
  anti_affinity: {
    child: 'anti_affinity_group',
    type: 'anti-affinity-group',
    resource: 'anti-affinity-groups',
    words: 'anti-affinity group',
  },
} as const

export type GroupKind = keyof typeof groupKinds

/** The words at the start of a sentence. */
export const capitalized = (words: string): string => words[0]!.toUpperCase() + words.slice(1)
