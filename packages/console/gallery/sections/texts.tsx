import type { ReactNode } from 'react'
import { BigNumber } from '../../src/ui/big-number.tsx'
import { Button } from '../../src/ui/button.tsx'
import { Card, CardBody, CardEmpty } from '../../src/ui/card.tsx'
import { AddressCell, CellButton, ListPlusCell } from '../../src/ui/cells.tsx'
import { CodeFrame } from '../../src/ui/code-view.tsx'
import { CopyableId } from '../../src/ui/copy-button.tsx'
import { DocsLink } from '../../src/ui/docs-links.tsx'
import { ErrorDetails } from '../../src/ui/error-details.tsx'
import { CellLink, CellLinkHere, ExternalLink, TextLink } from '../../src/ui/link.tsx'
import { PropertiesTable } from '../../src/ui/properties-table.tsx'
import { hasDocs } from '../../src/ui/server-state.ts'
import { SkeletonCell } from '../../src/ui/table.tsx'
import {
  Description,
  EmptyCell,
  Mono,
  Quantity,
  Size,
  Strong,
  Truncate,
} from '../../src/ui/text.tsx'
import { DateTime, TimeAgo } from '../../src/ui/time.tsx'
import { Columns, Specimen, Wide } from '../section.tsx'

hasDocs.set(true)

const id = '6d3f1c0e-5f6b-4a53-9d56-1f2a37c0b8e4'
const LONG = 'A long text that does not fit into its place and ends in an ellipsis'
const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR)
const created = new Date('2026-03-04T09:05:00Z')

const Narrow = ({ children }: { children: ReactNode }) => <div className="w-40">{children}</div>

const code = `POST /v1/disks?project=storefront
{
  "name": "data",
  "size": 17179869184
}`

export const Texts = () => (
  <>
    <Columns>
      <Specimen name="Dates and distances">
        <DateTime date={created} />
        <TimeAgo date={ago(3)} ago />
        <TimeAgo date={ago(70)} />
      </Specimen>
      <Specimen name="Sizes, quantities, large numbers">
        <span>
          <Size bytes={17_179_869_184} />
        </span>
        <span>
          <Quantity value={4} unit="CPUs" />
        </span>
        <BigNumber value={1204} />
        <BigNumber value={1_204_000} />
      </Specimen>
      <Specimen name="Nothing, a name, loading">
        <EmptyCell />
        <Strong>storefront</Strong>
        <SkeletonCell />
      </Specimen>
      <Specimen name="Cut at the end, and in the middle">
        <Narrow>
          <Truncate text={LONG} />
          <Truncate text={id} />
          <Description text={LONG} />
        </Narrow>
      </Specimen>
      <Specimen name="Names that keep their ends">
        <Narrow>
          {['product-images-2026-11-27', 'product-images-2026-11-28'].map((name) => (
            <CellLink key={name} to="/projects">
              {name}
            </CellLink>
          ))}
          <Truncate text="Disk of the old server.iso" isName />
        </Narrow>
        <Truncate text="product-images-2026-11-28" />
      </Specimen>
      <Specimen name="IDs and addresses">
        <CopyableId id={id} className="max-w-32" />
        <AddressCell address="172.30.0.5" />
        <Mono>fd00::5</Mono>
      </Specimen>
      <Specimen name="Links">
        <TextLink to="/projects">Projects</TextLink>
        <ExternalLink href="https://example.org">Another site</ExternalLink>
        <DocsLink page="storage">Documentation</DocsLink>
      </Specimen>
      <Specimen name="Links and buttons of cells">
        <CellLink to="/projects">storefront</CellLink>
        <CellLinkHere to="/projects">analytics</CellLinkHere>
        <CellButton onClick={() => {}}>panel</CellButton>
      </Specimen>
      <Specimen name="The first of several">
        <ListPlusCell
          title="Pools"
          items={['default', 'fast', 'archive'].map((text) => ({ text }))}
        />
      </Specimen>
      <Specimen name="Details of an error">
        <ErrorDetails text="409 ObjectAlreadyExists" />
      </Specimen>
    </Columns>
    <Specimen name="Properties">
      <PropertiesTable columns={2} className="w-full">
        <PropertiesTable.Row label="State">running</PropertiesTable.Row>
        <PropertiesTable.Row label="Hostname">{null}</PropertiesTable.Row>
        <PropertiesTable.IdRow id={id} />
        <PropertiesTable.DescriptionRow description={LONG} />
        <PropertiesTable.DateRow label="Created" date={created} />
        <PropertiesTable.CopyRow label="Address" text="172.30.0.5" />
        <PropertiesTable.Row label="Last">
          <Size bytes={1024} />
        </PropertiesTable.Row>
      </PropertiesTable>
    </Specimen>
    <Specimen name="Code">
      <div className="w-full overflow-hidden rounded-card border">
        <CodeFrame>
          <pre className="p-3 font-mono text-xs">{code}</pre>
        </CodeFrame>
      </div>
    </Specimen>
  </>
)

export const Cards = () => (
  <Wide name="With content, with a button, empty">
    <div className="flex flex-col gap-4">
      <Card title="Boot disk" description="The disk that the instance starts from">
        <CardBody>
          <p className="text-secondary">Content with its own padding.</p>
        </CardBody>
      </Card>
      <Card title="Network interfaces" actions={<Button size="sm">Add interface</Button>}>
        <CardEmpty title="No network interfaces" body="Add one to reach the instance" />
      </Card>
      <Card title="Only a heading" actions={<Button>Edit</Button>} />
    </div>
  </Wide>
)
