import { HardDrive, Plus } from 'lucide-react'
import { Banner, ErrorBanner } from '../../src/ui/banner.tsx'
import { Button } from '../../src/ui/button.tsx'
import { EmptyState } from '../../src/ui/empty-state.tsx'
import { RequestId } from '../../src/ui/error-details.tsx'
import { NothingMatches } from '../../src/ui/list-controls/list-controls.tsx'
import { StateBadge, StateShape, type StateTone } from '../../src/ui/state-badge.tsx'
import { Tag } from '../../src/ui/tag.tsx'
import { YesNo } from '../../src/ui/yes-no.tsx'
import { Meter } from '../../src/tenancy/utilization/meter.tsx'
import { Columns, Specimen, Wide } from '../section.tsx'

const words: Record<StateTone, string> = {
  works: 'running',
  off: 'stopped',
  changing: 'starting',
  attention: 'degraded',
  failed: 'failed',
}
const tones = Object.keys(words) as StateTone[]

export const States = () => (
  <>
    <Specimen name="States, with the shape of the tone">
      {tones.map((tone) => (
        <StateBadge key={tone} tone={tone}>
          {words[tone]}
        </StateBadge>
      ))}
      <StateBadge tone="off" shape="circle-minus">
        detached
      </StateBadge>
    </Specimen>
    <Specimen name="States during a transition">
      {tones.map((tone) => (
        <StateBadge key={tone} tone={tone} transitional>
          {words[tone]}
        </StateBadge>
      ))}
    </Specimen>
    <Columns>
      <Specimen name="Shapes alone">
        {tones.map((tone) => (
          <StateShape key={tone} tone={tone} />
        ))}
      </Specimen>
      <Specimen name="Tags: weak, medium, strong">
        <Tag>read-only</Tag>
        <Tag strength="medium">primary</Tag>
        <Tag strength="strong">default</Tag>
      </Specimen>
      <Specimen name="Present and absent">
        <YesNo value />
        <YesNo value={false} />
      </Specimen>
      {[0, 40, 85, 97].map((used) => (
        <Specimen key={used} name={`Meter, ${used} %`}>
          <Meter label={`Storage used, ${used} %`} used={used} quota={100} />
        </Specimen>
      ))}
      <Specimen name="A state in a line of text">
        <span>
          Instance api-1 is <StateBadge tone="works">running</StateBadge> as <Tag>primary</Tag>
        </span>
      </Specimen>
    </Columns>
  </>
)

const plus = <Plus size={16} strokeWidth={1.5} aria-hidden />

export const Messages = () => (
  <>
    <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
      <Banner variant="success" title="All servers run the same release">
        The update took 12 minutes.
      </Banner>
      <Banner variant="info" action={<Button size="sm">Review</Button>}>
        Others have changed this disk.
      </Banner>
      <Banner variant="notice" title="The certificate ends in 9 days">
        Browsers refuse the console afterwards.
      </Banner>
      <Banner variant="error" title="Could not stop the instance">
        It is being migrated.
      </Banner>
      <ErrorBanner messages={['Name already exists']} details="409 ObjectAlreadyExists" />
      <ErrorBanner messages={['Name is required', 'Size must be at least 1 GiB']} />
      <Banner icon={false}>Without an icon.</Banner>
      <RequestId id="6d3f1c0e-5f6b-4a53-9d56-1f2a37c0b8e4" />
    </div>
    <Wide name="Empty page, and a search without results">
      <div className="grid grid-cols-2 max-sm:grid-cols-1">
        <EmptyState
          icon={<HardDrive size={20} strokeWidth={1.5} aria-hidden />}
          title="No disks"
          body="Create a disk to see it here"
          action={
            <Button variant="primary" icon={plus}>
              New disk
            </Button>
          }
        />
        <NothingMatches noun={{ one: 'disk', many: 'disks' }} onClear={() => {}} />
      </div>
    </Wide>
  </>
)
