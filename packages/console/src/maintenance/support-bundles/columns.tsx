import type { SupportBundleDetails, SupportBundleInfo } from '@steading/api/client'
import type { SupportBundleState } from '@steading/api/rules'
import type { ListColumn } from '../../page/columns.tsx'
import { CellLink } from '../../ui/link.tsx'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Size, Truncate } from '../../ui/text.tsx'
import { named } from './queries.ts'

const tones: Record<SupportBundleState, StateTone> = {
  collecting: 'changing',
  active: 'works',
  destroying: 'changing',
  failed: 'failed',
}

export const BundleStateBadge = ({ state }: { state: SupportBundleState }) => (
  <StateBadge tone={tones[state]}>{state}</StateBadge>
)

/** Only rows of a searched list have a size. */
type BundleRow = SupportBundleInfo & Partial<SupportBundleDetails>

export const bundleColumns: ListColumn<BundleRow>[] = [
  {
    id: 'name',
    header: 'bundle',
    width: 296,
    cell: (bundle) => (
      <CellLink to="/system/support-bundles/$bundle" params={{ bundle: bundle.id }}>
        {named(bundle).name}
      </CellLink>
    ),
  },
  {
    id: 'state',
    cell: ({ state }) => <BundleStateBadge state={state} />,
  },
  {
    id: 'comment',
    header: 'comment',
    sort: 'user_comment',
    phone: 'second',
    cell: ({ userComment }) => (userComment ? <Truncate text={userComment} /> : null),
  },
  {
    id: 'size',
    header: 'size',
    sort: 'size',
    width: 104,
    cell: ({ size }) => (size ? <Size bytes={size} /> : null),
  },
  'created',
]
