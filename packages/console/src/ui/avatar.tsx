/** First letters of the first and the last word. */
const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** A person's initials in a circle, beside the name. */
export const Avatar = ({ name }: { name: string }) => (
  <span
    aria-hidden
    className="flex size-7 shrink-0 items-center justify-center rounded-full border border-accent-border bg-accent-surface text-xs font-medium text-accent-text"
  >
    {initialsOf(name)}
  </span>
)
