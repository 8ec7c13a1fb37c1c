import type { Noun } from './count-text.ts'

/** A list of things of which any number may be chosen. */
export type Choices = {
  label: string
  /** Counts are shown beside the labels; null: more than are counted, undefined: not known yet. */
  items: { id: string; label: string; count?: number | null }[]
  /** What is counted; there is no room for counts without it. */
  counted?: Noun
  selected: string[]
  /** Exactly one of them is chosen, which closes the menu. */
  single?: true
  onChange: (selected: string[]) => void
}
