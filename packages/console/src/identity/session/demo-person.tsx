import type { DemoPerson } from './demo.ts'

const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** A person's initials, beside the name. */
const Avatar = ({ name }: { name: string }) => (
  <span
    aria-hidden
    className="flex size-7 shrink-0 items-center justify-center rounded-full border border-accent-border bg-accent-surface text-xs font-medium text-accent-text"
  >
    {initialsOf(name)}
  </span>
)

/** A demo user in a list: name and permissions. */
export const DemoPersonText = ({ name, role }: DemoPerson) => (
  <>
    <Avatar name={name} />
    <span className="min-w-0 flex-1 text-left">
      <span className="block truncate font-medium">{name}</span>
      <span className="block truncate text-xs text-tertiary">{role}</span>
    </span>
  </>
)
