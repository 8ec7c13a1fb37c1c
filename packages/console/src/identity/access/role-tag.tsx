import { Tag } from '../../ui/tag.tsx'
import type { Level, Role } from './policies.ts'

/** A role at a level, as the API spells it. */
export const RoleTag = ({ level, role }: { level: Level; role: Role }) => (
  <Tag>{`${level}.${role}`}</Tag>
)

export const wordsOfRole = (role: Role): string => role.replaceAll('_', ' ')
