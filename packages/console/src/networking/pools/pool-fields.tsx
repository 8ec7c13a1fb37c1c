import type { IpVersion } from '@steading/api/client'
import type { Control } from 'react-hook-form'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { Banner } from '../../ui/banner.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'

const WhoSees = () => (
  <Banner>Users of linked silos see the name and the description when they choose a pool.</Banner>
)

export type PoolCreateValues = { name: string; description: string; ipVersion: IpVersion }
export const newPool: PoolCreateValues = { name: '', description: '', ipVersion: 'v4' }

/** What a new pool is asked for. */
export const PoolCreateFields = ({ control }: { control: Control<PoolCreateValues> }) => (
  <>
    <WhoSees />
    <NameField control={control} />
    <DescriptionField control={control} />
    <RadioField
      name="ipVersion"
      label="IP version"
      control={control}
      items={[
        { value: 'v4', label: 'v4' },
        { value: 'v6', label: 'v6' },
      ]}
    />
  </>
)

type EditProps = {
  pool: { id: string; timeCreated: Date; timeModified: Date }
  control: Control<{ name: string; description: string }>
}

/** What can be changed of a pool. */
export const PoolEditFields = ({ pool, control }: EditProps) => (
  <>
    <PropertiesTable>
      <PropertiesTable.IdRow id={pool.id} />
      <PropertiesTable.DateRow date={pool.timeCreated} label="Created" />
      <PropertiesTable.DateRow date={pool.timeModified} label="Updated" />
    </PropertiesTable>
    <WhoSees />
    <NameField control={control} />
    <DescriptionField control={control} />
  </>
)
