import type { SiloIdentityMode } from '@steading/api/client'
import { Tag } from '../../ui/tag.tsx'

export const IdentityModeTag = ({ mode }: { mode: SiloIdentityMode }) => (
  <Tag>{mode.replace('_', ' ')}</Tag>
)
