import { Tag } from '../../ui/tag.tsx'

export const VersionTag = ({ version }: { version: 'v4' | 'v6' }) => <Tag>{version}</Tag>
