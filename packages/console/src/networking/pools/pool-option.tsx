import type { SiloIpPool } from '@steading/api/client'
import type { ReactNode } from 'react'
import type { Option } from '../../ui/form/options.tsx'
import { Tag } from '../../ui/tag.tsx'

export const VersionTag = ({ version }: { version: 'v4' | 'v6' }) => <Tag>{version}</Tag>

type Choice = { name: string; description: string; tags?: ReactNode }

/** An option with its tags beside the name, and the description below. */
export const choiceOf = ({ name, description, tags }: Choice): Option => ({
  value: name,
  label: name,
  content: (
    <span className="flex min-w-0 flex-col">
      <span className="flex items-center gap-1.5">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {tags}
      </span>
      {description && <span className="truncate text-xs text-secondary">{description}</span>}
    </span>
  ),
})

/** An IP pool or a subnet pool. */
type Pool = Pick<SiloIpPool, 'name' | 'description' | 'isDefault' | 'ipVersion'>

export const poolOption = ({ name, description, isDefault, ipVersion }: Pool): Option =>
  choiceOf({
    name,
    description,
    tags: (
      <>
        {isDefault && <Tag>default</Tag>}
        <VersionTag version={ipVersion} />
      </>
    ),
  })
