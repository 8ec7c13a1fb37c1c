/** A list of things of which any number may be chosen. */
export type Choices = {
  label: string
  items: { id: string; label: string }[]
  selected: string[]
  onChange: (selected: string[]) => void
}
