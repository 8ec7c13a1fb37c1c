import type { DashboardSharing } from '@steading/api/rules'
import { Tag } from '../../ui/tag.tsx'

export const sharingWords: Record<DashboardSharing, string> = {
  private: 'Only you',
  project: 'Project',
  silo: 'Silo',
}

export const SharingTag = ({ sharing }: { sharing: DashboardSharing }) => (
  <Tag>{sharingWords[sharing]}</Tag>
)
