import type { Disk } from '@steading/api/client'
import type { Option } from '../../ui/form/options.tsx'
import { Size } from '../../ui/text.tsx'

/** A disk in a list of choices; it is named, not identified, where it is attached. */
export const diskOption = ({ name, size }: Disk): Option => ({
  value: name,
  label: name,
  content: (
    <span className="flex items-center gap-3">
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="text-secondary">
        <Size bytes={size} />
      </span>
    </span>
  ),
})
