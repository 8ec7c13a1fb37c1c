import { Badge } from '../ui/badge.tsx'

export const VersionBadge = ({ version }: { version: 'v4' | 'v6' }) => (
  <Badge color="neutral" icon={false}>
    {version}
  </Badge>
)
