import type { SiloIpPool } from '@steading/api/client'
import type { ReactNode } from 'react'
import type { Option } from '../../ui/form/options.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Truncate } from '../../ui/text.tsx'

export const VersionTag = ({ version }: { version: 'v4' | 'v6' }) => <Tag>{version}</Tag>

type Choice = { name: string; description: string; tags?: ReactNode }

/** An option with its tags beside the name, and the description below. */
export const choiceOf = ({ name, description, tags }: Choice): Option => ({
  value: name,
  label: name,
  content: (
    <span className="flex min-w-0 flex-col">
      <span className="flex items-center gap-1.5">
        <Truncate text={name} className="flex-1" />
        {tags}
      </span>
      {description && <Truncate text={description} className="text-xs text-secondary" />}
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
