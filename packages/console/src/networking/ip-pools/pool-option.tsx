import type { SiloIpPool } from '@steading/api/client'
import { Tag } from '../../ui/tag.tsx'
import type { Option } from '../../ui/form/options.tsx'
import { VersionTag } from './version-tag.tsx'

/** A pool of addresses, or of subnets. */
type Pool = Pick<SiloIpPool, 'name' | 'description' | 'isDefault' | 'ipVersion'>

export const poolOption = ({ name, description, isDefault, ipVersion }: Pool): Option => ({
  value: name,
  label: name,
  content: (
    <span className="flex min-w-0 flex-col">
      <span className="flex items-center gap-1.5">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {isDefault && <Tag>default</Tag>}
        <VersionTag version={ipVersion} />
      </span>
      {description && <span className="truncate text-xs text-secondary">{description}</span>}
    </span>
  ),
})
