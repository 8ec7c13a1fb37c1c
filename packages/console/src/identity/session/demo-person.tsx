import { Avatar } from '../../ui/avatar.tsx'
import type { DemoPerson } from './demo.ts'
import { Truncate } from '../../ui/text.tsx'

/** A demo user in a list: name and permissions. */
export const DemoPersonText = ({ name, role }: DemoPerson) => (
  <>
    <Avatar name={name} />
    <span className="min-w-0 flex-1 text-start">
      <Truncate text={name} className="font-medium" />
      <Truncate text={role} className="text-xs text-tertiary" />
    </span>
  </>
)
