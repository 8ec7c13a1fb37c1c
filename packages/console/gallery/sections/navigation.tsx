import { useState } from 'react'
import { HardDrive, Star } from 'lucide-react'
import { BottomBar } from '../../src/ui/bottom-bar.tsx'
import { Button, IconButton } from '../../src/ui/button.tsx'
import { ChoiceSelect } from '../../src/ui/list-controls/choice-select.tsx'
import { SearchField } from '../../src/ui/list-controls/search-field.tsx'
import { DocsPopover, PageHeader } from '../../src/ui/page-header.tsx'
import { Pagination } from '../../src/ui/pagination.tsx'
import { DetailsFold } from '../../src/ui/details-fold.tsx'
import { PhoneDisclosure } from '../../src/ui/phone-disclosure.tsx'
import { StateBadge } from '../../src/ui/state-badge.tsx'
import { QueryTabs, RouteTab, RouteTabs } from '../../src/ui/tabs.tsx'
import { Wide } from '../section.tsx'

const tabs = ['Storage', 'Networking', 'Metrics', 'Connect'].map((label) => ({
  id: label,
  label,
  content: <p className="px-(--gutter) pt-4 text-secondary">Content of {label}.</p>,
}))

export function Navigation() {
  const [tab, setTab] = useState('Networking')
  const [factor, setFactor] = useState('none')
  return (
    <>
      <Wide name="Header of a page">
        <PageHeader title="Disks" icon={<HardDrive strokeWidth={1.5} aria-hidden />}>
          <DocsPopover topic="disks" summary="A disk is a volume of an instance." />
          <Button variant="primary">New disk</Button>
        </PageHeader>
      </Wide>
      <Wide name="Header of a resource">
        <PageHeader
          title="api-1"
          star={<IconButton label="Star" icon={<Star size={16} strokeWidth={1.5} aria-hidden />} />}
          meta={<StateBadge tone="works">running</StateBadge>}
        >
          <Button>Stop</Button>
          <Button>Edit</Button>
        </PageHeader>
      </Wide>
      <Wide name="Tabs">
        <QueryTabs label="Tabs" tabs={tabs} selected={tab} onSelect={setTab} />
      </Wide>
      <Wide name="Tabs of pages">
        <RouteTabs label="Pages">
          <RouteTab to="/projects/$project/disks" params={{ project: 'storefront' }}>
            Disks
          </RouteTab>
          <RouteTab to="/projects/$project/snapshots" params={{ project: 'storefront' }}>
            Snapshots
          </RouteTab>
        </RouteTabs>
      </Wide>
      <Wide name="Pages of a list, loading the last one">
        <Pagination
          pageSize={50}
          rowRange={{ before: 1200, shown: 4, total: 1204 }}
          hasPrev
          hasNext={false}
          hasPages
          loading
          onPrev={() => {}}
          onNext={() => {}}
        />
      </Wide>
      <Wide name="Search, and a filter of one value">
        <div className="flex gap-2 px-(--gutter)">
          <SearchField label="Search disks" value="" onChange={() => {}} />
          <ChoiceSelect
            label="Factors"
            value={factor}
            options={{ all: 'All users', none: 'No second factor' }}
            active={factor !== 'all'}
            onChange={setFactor}
          />
        </div>
      </Wide>
      <Wide name="Collapsed on a phone">
        <PhoneDisclosure label="More">
          <p className="px-(--gutter) text-secondary">Always visible on a wide screen.</p>
        </PhoneDisclosure>
      </Wide>
      <Wide name="Further properties, folded except on a phone">
        <DetailsFold>
          <p className="px-(--gutter) text-secondary">The further properties of a resource.</p>
        </DetailsFold>
      </Wide>
      <Wide name="Bar at the bottom of a form">
        <BottomBar>
          <div className="flex gap-2 px-(--gutter) py-2">
            <Button variant="primary">Create instance</Button>
            <Button>Cancel</Button>
          </div>
        </BottomBar>
      </Wide>
    </>
  )
}
