import { Avatar } from '../../ui/avatar.tsx'
import type { DemoPerson } from './demo-people.ts'

/** A person of the demo in a list: who it is, and what they may do. */
export const DemoPersonText = ({ name, role }: DemoPerson) => (
  <>
    <Avatar name={name} />
    <span className="min-w-0 flex-1 text-left">
      <span className="block truncate font-medium">{name}</span>
      <span className="block truncate text-xs text-tertiary">{role}</span>
    </span>
  </>
)
