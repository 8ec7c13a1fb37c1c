import { Avatar } from '../../ui/avatar.tsx'
import type { DemoPerson } from './demo.ts'

/** A demo user in a list: name and permissions. */
export const DemoPersonText = ({ name, role }: DemoPerson) => (
  <>
    <Avatar name={name} />
    <span className="min-w-0 flex-1 text-start">
      <span className="block truncate font-medium">{name}</span>
      <span className="block truncate text-xs text-tertiary">{role}</span>
    </span>
  </>
)
